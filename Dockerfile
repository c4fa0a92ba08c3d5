# Keyrack's console: one image for web, events, worker and beat; docker-compose.yml says which is which.

# 1. The dashboard.
FROM node:24-bookworm-slim AS dashboard
WORKDIR /build/frontend
COPY frontend/package.json frontend/package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY frontend/ ./
RUN npm run build

# 2. Python packages, and the agent's wheel with what it needs, which the console serves to hosts.
FROM python:3.13-slim-bookworm AS packages
WORKDIR /build
COPY requirements/ requirements/
RUN python -m venv /opt/keyrack/venv \
 && /opt/keyrack/venv/bin/pip install --no-cache-dir --require-hashes -r requirements/console.txt
COPY agents/ agents/
RUN pip wheel --no-cache-dir --no-deps --require-hashes -w /opt/keyrack/wheels -r requirements/agent.txt \
 && pip wheel --no-cache-dir --no-deps -w /opt/keyrack/wheels ./agents

# 3. What runs: no compiler, no root.
FROM python:3.13-slim-bookworm
RUN useradd --system --uid 10001 --home-dir /opt/keyrack keyrack \
 && install -d -o keyrack -m 0700 /var/lib/keyrack
WORKDIR /opt/keyrack/app
COPY --from=packages /opt/keyrack/venv /opt/keyrack/venv
COPY --from=packages /opt/keyrack/wheels .tools/wheels
COPY --from=dashboard /build/frontend/dist frontend/dist
COPY manage.py ./
COPY console/ console/
COPY agents/__init__.py agents/py.typed agents/
COPY agents/wire/ agents/wire/
ENV PATH=/opt/keyrack/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    DJANGO_SETTINGS_MODULE=console.config.settings.production \
    KEYRACK_VAR=/var/lib/keyrack
USER keyrack
CMD ["granian", "--interface", "wsgi", "--host", "0.0.0.0", "--port", "8000", "--no-ws", "console.config.wsgi:application"]
