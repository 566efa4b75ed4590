# Footnote in a container. All of its data is in /data; the only other folder that it has to write to is /tmp.
#
#   docker build -t footnote .
#   docker run --read-only --tmpfs /tmp -v footnote:/data -p 127.0.0.1:8000:8000 footnote
#
# Users have to sign in: `docker exec CONTAINER footnote user link owner@localhost` prints a first link.
FROM python:3.12-slim AS build
WORKDIR /src
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN python -m venv /opt/footnote
COPY requirements.lock requirements-server.lock ./
RUN /opt/footnote/bin/pip install --require-hashes -r requirements.lock -r requirements-server.lock
COPY pyproject.toml README.md LICENSE ./
COPY migrations migrations
COPY app app
RUN /opt/footnote/bin/pip install --no-deps .

FROM python:3.12-slim
RUN useradd --system --uid 10001 --home-dir /data footnote && install -d -o footnote -g footnote /data
COPY --from=build /opt/footnote /opt/footnote
ENV PATH=/opt/footnote/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    DATABASE_URL=sqlite:////data/footnote.db \
    HOST=0.0.0.0 \
    PORT=8000
USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
    CMD ["python", "-c", "import os, urllib.request; urllib.request.urlopen(f'http://127.0.0.1:{os.environ[\"PORT\"]}/readyz')"]
# SIGTERM stops it; running answers get a few seconds to finish.
CMD ["footnote", "serve"]
