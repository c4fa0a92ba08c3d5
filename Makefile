# Keyrack's commands. `make` alone lists them. KEYRACK_PORT (8000) and KEYRACK_VAR (./var) move the running console.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

PYTHON ?= python3
RUN := .venv/bin
NPM := PATH="$(CURDIR)/.tools/bin:$$PATH" npm_config_cache="$(CURDIR)/.tools/cache/npm" npm --prefix frontend
SCHEMA := frontend/openapi.json
TYPES := frontend/src/api/schema.d.ts
MANAGE_QUIETLY := DJANGO_SETTINGS_MODULE=console.config.settings.test $(RUN)/python manage.py

export KEYRACK_PORT KEYRACK_VAR

##@ Running
.PHONY: run up down setup
run: setup ## Set up, start the console, this host's agent and a first measurement; Ctrl-C stops all of it
	@exec $(RUN)/python manage.py run_embedded

up: setup ## The same in the background; returns when the console is ready
	@$(RUN)/python manage.py run_embedded --background

down: ## Stop what `make up` (or `make run`) started
	@if [ -x $(RUN)/python ]; then exec $(RUN)/python manage.py run_embedded --stop; else echo "Nothing to stop: never set up."; fi

setup: ## Install what is missing and build; skipped while nothing changed
	@$(PYTHON) -m tools.setup run

##@ Testing
.PHONY: setup-test test test-python test-servers test-frontend test-browser bench fault-table
setup-test:
	@$(PYTHON) -m tools.setup test

test: ## Every test: Python, front end, browser
	@$(MAKE) setup-test
	@$(MAKE) -k test-python test-servers test-frontend test-browser

test-python: setup-test
	$(RUN)/pytest -n 2 -m "not integration"

test-servers: setup-test
	$(RUN)/pytest -n 2 --dist loadfile -m integration

test-frontend: setup-test
	$(NPM) run --silent test

test-browser: setup-test
	$(NPM) run --silent test:browser

bench: setup-test ## Measure what docs/benchmarks.md promises; prints and checks each figure
	$(RUN)/python -m tests.load

fault-table: setup-test ## Try every fault on every kind of change and write the table of docs/changes.md
	$(RUN)/python -m tests.agents.simulator.fault_cells

##@ Checking
.PHONY: check check-format check-lint check-types check-imports check-migrations check-openapi check-frontend
check: ## Format, lint, types, import rules, migrations, OpenAPI and generated types, front end
	@$(MAKE) setup-test
	@$(MAKE) -k check-format check-lint check-types check-imports check-migrations check-openapi check-frontend

check-format:
	$(RUN)/ruff format --check .

check-lint:
	$(RUN)/ruff check .

check-types:
	$(RUN)/mypy

check-imports:
	$(RUN)/lint-imports --no-logo

check-migrations:
	$(MANAGE_QUIETLY) makemigrations --check --dry-run

check-openapi:
	$(MANAGE_QUIETLY) spectacular --format openapi-json --validate --fail-on-warn --file $(SCHEMA).new
	@trap 'rm -f $(SCHEMA).new' EXIT; diff -u $(SCHEMA) $(SCHEMA).new || { echo "$(SCHEMA) is out of date: make openapi"; exit 1; }
	PATH="$(CURDIR)/.tools/bin:$$PATH" frontend/node_modules/.bin/openapi-typescript $(SCHEMA) --check -o $(TYPES)

check-frontend:
	$(NPM) run --silent typecheck
	$(NPM) run --silent lint

##@ Maintaining
.PHONY: lock openapi licences clean help
lock: ## Lock requirements/*.in again; UPGRADE=1 takes newer versions
	@$(PYTHON) -m tools.setup tools
	tools/lock.sh $(if $(UPGRADE),--upgrade)

openapi: ## Write the OpenAPI file and the TypeScript types from the code
	$(MANAGE_QUIETLY) spectacular --format openapi-json --validate --fail-on-warn --file $(SCHEMA)
	$(NPM) run --silent types

licences: ## Write docs/licences.md from what is installed
	$(RUN)/python -m tools.licences docs/licences.md

clean: ## Remove environments and builds; leaves KEYRACK_VAR alone
	rm -rf .venv .tools frontend/node_modules frontend/dist agents/build agents/*.egg-info *.egg-info

help: ## This list
	@awk 'BEGIN {FS = ":.*## "} /^##@/ {printf "\n%s\n", substr($$0, 5)} /^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
