"""Outages: servers are killed, PostgreSQL and RabbitMQ are restarted and cut off, while people read answers.

`nodes` runs a PostgreSQL and a RabbitMQ that can be stopped, `way` a TCP connection to either that can be cut,
`counting_model` a model whose words are known, `readers` those who ask and read; `python -m tests.outages` runs it.
"""
