# The site as one image: pages, live events, worker, beat and commands differ only in what compose.yaml has them run.
# It needs no writable disk but /tmp. Nothing of an installation is in it: settings come from the environment.

FROM python:3.11-slim-trixie AS libraries
RUN python -m venv /opt/venv
COPY requirements.txt .
RUN /opt/venv/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements.txt

# The rules of the engine, compiled. The compiler stays behind.
FROM python:3.11-slim-trixie AS compiled
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev
WORKDIR /build
RUN python -m venv /opt/venv
COPY requirements-compile.txt .
RUN /opt/venv/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements-compile.txt
COPY setup.py .
COPY engine engine
RUN /opt/venv/bin/python setup.py --quiet build_ext --inplace

# The docs as a site. What builds them stays behind.
FROM python:3.11-slim-trixie AS docs
WORKDIR /build
RUN python -m venv /opt/venv
COPY requirements-docs.txt .
RUN /opt/venv/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements-docs.txt
COPY . .
RUN /opt/venv/bin/python -m properdocs build --site-dir /docs

FROM python:3.11-slim-trixie
# pg_dump and pg_restore, which backup and restore call; no older than the server of compose.yaml. And letters for names in
# Arabic, Hebrew, Chinese, Japanese and Korean on pictures of links, with what sets them from right to left: 11 MB.
RUN apt-get update \
    && apt-get install -y --no-install-recommends postgresql-client-17 \
        fonts-dejavu-core fonts-droid-fallback libfribidi0 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin foothold \
    && install -d -o foothold -g foothold /srv/static /srv/backups
COPY --from=libraries /opt/venv /opt/venv
WORKDIR /srv/foothold
COPY . .
COPY --from=compiled /build/engine__mypyc*.so .
COPY --from=compiled /build/engine engine
COPY --from=docs /docs build/docs
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    DATA_DIR=/tmp/foothold \
    STATIC_DIR=/srv/static
# Compiled once, since no process can write it down later.
RUN python -m compileall -q .
USER foothold
# What makes the settings whole here is thrown away: real secrets come from the environment.
RUN python manage.py collectstatic --no-input --verbosity 0 && rm -rf /tmp/foothold
EXPOSE 8000 8001
CMD ["gunicorn", "--config", "python:config.gunicorn", "--bind", "0.0.0.0:8000", "config.wsgi"]
