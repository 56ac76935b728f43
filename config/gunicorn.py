"""Configuration of gunicorn, used by `--config python:config.gunicorn`; WEB_CONCURRENCY sets the processes."""

worker_class = "web.server.gunicorn_worker.Worker"
# `THREADS` of web.server.page_queue, which cannot be imported before the site: few of them work at once, others wait.
threads = 64
# A request that began is ended before an old process goes.
graceful_timeout = 30
# Longer than a proxy keeps a connection, so that none is shut while a request is on its way.
keepalive = 75
# In memory, where no disk makes a living process look dead, and where a read-only file system can be written.
worker_tmp_dir = "/dev/shm"  # noqa: S108
control_socket_disable = True
