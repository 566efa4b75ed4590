"""A model server that answers every request at once with a cited sentence. Prints its port; runs until killed."""

import asyncio

from tests.bench.pacing import END, HEAD, frame

WORDS = ("The ", "language ", "reference ", "describes ", "this ", "[1].")
_ANSWER = HEAD + b"".join(frame({"content": word}) for word in WORDS) + END
_MODELS = b'{"object": "list", "data": [{"id": "chat", "object": "model"}]}'
_LISTED = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(_MODELS), _MODELS)


async def _serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            if head.startswith(b"get"):
                writer.write(_LISTED)
                continue
            await reader.readexactly(int(head.split(b"content-length:")[1].split(b"\r\n")[0]))
            writer.write(_ANSWER)
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def _main() -> None:
    server = await asyncio.start_server(_serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(_main())
