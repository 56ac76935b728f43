"""The files of a deployment fit the site and one another; nothing here runs them."""

import ast
import configparser
import json
import re
import shlex
from importlib import import_module

import pytest
from django.conf import settings
from django.core.management import get_commands
from django.urls import resolve

from config import gunicorn
from config.providers import TENANT, VARIABLES
from gameplay.views.live import KEEP_ALIVE
from tests.config import deployed
from tests.config.deployed import ROOT
from tests.security.site_map import addresses
from web import bodies
from web.management.commands import serve

SETTINGS = (ROOT / "config/settings.py").read_text()
PAGE = (ROOT / "docs/deploy.md").read_text()
DOCKERFILE = (ROOT / "Dockerfile").read_text()
NGINX = (ROOT / "deploy/nginx.conf").read_text()
CADDY = (ROOT / "deploy/Caddyfile").read_text()
UNITS = ROOT / "deploy/systemd"

OF_COMPOSE = {"POSTGRES_PASSWORD", "IMAGE"}
"""Variables of compose.yaml alone."""
OF_SERVE = {"HOST", "PORT", "DEMO"}
"""Variables of bin/serve, which no deployment uses."""
NOT_DEPLOYED = {"DEBUG"}
ONLY_TOLD_BY_SERVE = {"STATIC_COLLECTED"}
LEFT_OUT = {"assistants", "benchmarks", "bin", "tests"}
"""Folders that the site does not need to run."""
OF_THE_DOCS = {
    "bin/lib/docs_site.py",
    "properdocs.yml",
    "requirements-docs.txt",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "tests/README.md",
}
"""Files that the docs are made of, besides their folder."""


def reads(node):
    """The name of the variable that an expression reads from the environment, if it does."""
    text = ast.unparse(node)
    match = re.match(r"(?:env\.\w+|os\.environ\.get)\('([A-Z_]+)'", text) or re.match(r"'([A-Z_]+)' in os\.env", text)
    return match[1] if match else None


def variables_of_settings():
    tree = ast.parse(SETTINGS)
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call | ast.Compare))
    in_loops = set(re.findall(r'"([A-Z_]+)"', re.search(r"^UNSAID = .*$", SETTINGS, re.MULTILINE)[0]))
    of_providers = {TENANT, *(name for names in VARIABLES.values() for name in names)}
    return ({name for node in calls if (name := reads(node))} | in_loops | of_providers) - ONLY_TOLD_BY_SERVE


def blocks(text, opening):
    """The text between the braces after each match of `opening`, nested braces included."""
    for match in re.finditer(opening + r"[^{\n]*\{", text):
        depth, end = 1, match.end()
        while depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        yield text[match.start() : end]


def unit(name):
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str
    parser.read(UNITS / name)
    return parser


SERVICES = sorted(path.name for path in UNITS.glob("*.service"))


# Variables


def test_one_table_explains_every_variable_once():
    assert sorted(deployed.explained()) == sorted(variables_of_settings() | OF_COMPOSE)


def test_no_other_page_explains_a_variable_in_a_table():
    # The register of secrets says where each is and how it is replaced, for auditors.
    others = {*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md")} - {
        ROOT / "docs/deploy.md",
        ROOT / "docs/reference/asvs.md",
    }
    assert {page.name: names for page in others if (names := deployed.explained(page))} == {}
    assert "docs/deploy.md" in ast.get_docstring(ast.parse(SETTINGS))


def test_the_example_holds_what_a_deployment_can_set_and_nothing_else():
    names = set(deployed.example()) | set(deployed.optional())
    assert names == variables_of_settings() - OF_SERVE - NOT_DEPLOYED | OF_COMPOSE


def test_the_example_holds_no_secret():
    empty = {name for name, value in deployed.example().items() if not value}
    assert empty == set(deployed.FILLED_IN)


def test_every_variable_of_the_example_is_explained():
    for block in deployed.EXAMPLE.read_text().split("\n\n"):
        assert block.startswith("# "), block


def test_containers_are_given_what_settings_read():
    for service in deployed.ours():
        assert set(deployed.environment_of(service)) <= variables_of_settings()


def test_compose_asks_for_what_the_example_holds():
    text = (ROOT / "compose.yaml").read_text()
    assert set(re.findall(r"\$\{(\w+)", text)) <= set(deployed.example()) | set(deployed.optional())
    must = set(re.findall(r"\$\{(\w+):\?", text))
    assert must == {*deployed.FILLED_IN, "SITE_URL"}


# The image


def copied():
    """Folders and files that .dockerignore includes."""
    return {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}


def test_the_image_holds_every_folder_that_the_site_needs_and_no_other():
    hidden = {path.strip("/") for path in (ROOT / ".gitignore").read_text().split()}
    folders = {path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith(".")} - hidden
    assert folders - LEFT_OUT == {name for name in copied() if (ROOT / name).is_dir()}
    # Those that it runs with are in it, for whoever has the image alone.
    files = {".env.example", "compose.yaml", "manage.py", "requirements.txt", "requirements-compile.txt", "setup.py"}
    assert {name for name in copied() if (ROOT / name).is_file()} == files | OF_THE_DOCS
    assert {name for name in copied() if not (ROOT / name).exists()} == set()
    assert "\n*\n" in (ROOT / ".dockerignore").read_text()


def test_the_image_runs_as_an_ordinary_user_with_the_pinned_libraries():
    last = DOCKERFILE.rpartition("\nFROM ")[2]
    assert re.findall(r"^USER (\S+)$", last, re.MULTILINE) == ["foothold"]
    assert "useradd --uid 10001" in last
    assert "--require-hashes -r requirements.txt" in DOCKERFILE
    copies = re.findall(r"^COPY (?:--\S+ )?(\S+) ", last, re.MULTILINE)
    assert copies == ["/opt/venv", ".", "/build/engine__mypyc*.so", "/build/engine", "/docs"]


def stage(name):
    """The part of the Dockerfile that begins so, after its base."""
    (text,) = re.findall(rf"^FROM \S+{name}\n(.*?)(?=^FROM |\Z)", DOCKERFILE, re.MULTILINE | re.DOTALL)
    return text


def test_the_image_compiles_the_rules_with_pinned_tools_and_leaves_the_compiler_behind():
    compiling, last = stage(" AS compiled"), stage("")
    assert "--require-hashes -r requirements-compile.txt" in compiling
    assert "setup.py --quiet build_ext --inplace" in compiling
    assert "gcc" in compiling
    assert "gcc" not in last


def test_the_image_has_the_docs_and_leaves_their_builder_behind():
    building, last = stage(" AS docs"), stage("")
    assert "--require-hashes -r requirements-docs.txt" in building
    assert "properdocs build" in building
    assert "properdocs" not in last


def test_the_image_has_the_python_of_the_lock_file():
    assert set(re.findall(r"^FROM python:(\d+\.\d+)-", DOCKERFILE, re.MULTILINE)) == {"3.11"}
    assert "--python-version 3.11" in (ROOT / "requirements.txt").read_text().partition("\n\n")[0][:400]


def test_tools_for_backups_are_no_older_than_the_server():
    client = int(re.search(r"postgresql-client-(\d+)", DOCKERFILE)[1])
    assert deployed.services()["db"]["image"].startswith(f"postgres:{client}-")


def test_the_image_alone_serves_pages_as_compose_has_it():
    command = [ast.literal_eval(part) for part in re.findall(r'"[^"]*"', re.search(r"^CMD (.*)$", DOCKERFILE, re.M)[1])]
    assert command == deployed.ours()["web"]["command"]


# Containers


WORKERS = {f"worker-{lane}" for lane in settings.LANES}


def test_there_is_everything_that_a_site_needs():
    assert set(deployed.services()) == {"migrate", "web", "live", *WORKERS, "beat", "manage", "db", "redis", "proxy"}


@pytest.mark.parametrize("name", sorted(deployed.services()))
def test_no_container_can_write_to_its_disk_or_gain_rights(name):
    service = deployed.services()[name]
    assert service["read_only"] is True
    assert service["security_opt"] == ["no-new-privileges:true"]


@pytest.mark.parametrize("name", sorted(deployed.ours()))
def test_containers_of_the_site_have_no_rights_and_one_place_to_write(name):
    service = deployed.ours()[name]
    assert (service["cap_drop"], service["tmpfs"], service["init"]) == (["ALL"], ["/tmp"], True)
    assert "ports" not in service
    writable = {each.partition(":")[0] for each in service.get("volumes", ()) if not each.endswith(":ro")}
    assert writable == {"migrate": {"static"}, "manage": {"backups"}}.get(name, set())


def test_only_the_proxy_can_be_reached():
    assert {name for name, service in deployed.services().items() if "ports" in service} == {"proxy"}


def test_volumes_are_those_that_are_declared():
    used = (volume for service in deployed.services().values() for volume in service.get("volumes", ()))
    names = {volume.partition(":")[0] for volume in used if not volume.startswith(".")}
    assert names == set(deployed.compose()["volumes"])
    files = {volume.partition(":")[0] for s in deployed.services().values() for volume in s.get("volumes", ())} - names
    assert {file for file in files if not (ROOT / file).is_file()} == set()


def test_folders_of_the_image_are_those_that_are_mounted():
    folders = re.search(r"install -d -o foothold -g foothold (.*)", DOCKERFILE)[1].split()
    mounted = {volume.split(":")[1] for s in deployed.ours().values() for volume in s.get("volumes", ())}
    assert mounted == set(folders)
    assert deployed.environment_of("web")["STATIC_DIR"] in folders
    assert f"STATIC_DIR={deployed.environment_of('web')['STATIC_DIR']}" in DOCKERFILE
    assert deployed.environment_of("manage")["DATA_DIR"] in folders


def test_each_part_waits_for_what_it_needs():
    for name, service in deployed.ours().items():
        for needed, condition in service["depends_on"].items():
            expected = "service_completed_successfully" if needed == "migrate" else "service_healthy"
            assert condition["condition"] == expected, name
            assert needed == "migrate" or "healthcheck" in deployed.services()[needed]


def test_services_are_called_by_their_names():
    for service in deployed.ours():
        environment = deployed.environment_of(service)
        for variable in ("DATABASE_URL", "CELERY_BROKER_URL", "CACHE_URL"):
            assert re.match(r"\w+://(?:[^@]*@)?(\w+):", environment[variable])[1] in deployed.services()
    assert set(re.findall(r"reverse_proxy (\w+):", CADDY)) <= set(deployed.services())


def test_the_queue_and_the_cache_are_kept_apart():
    web = deployed.environment_of("web")
    assert web["CELERY_BROKER_URL"] != web["CACHE_URL"]


def test_health_is_asked_where_it_is_told():
    for name, port in (("web", 8000), ("live", 8001)):
        check = re.search(r"urlopen\('http://127\.0\.0\.1:(\d+)(/\w+)'", str(deployed.ours()[name]["healthcheck"]))
        assert int(check[1]) == port
        assert f"0.0.0.0:{port}" in deployed.ours()[name]["command"]
        assert resolve(check[2]).url_name == "healthz"
    assert resolve(re.search(r"curl --fail https://[\w.]+(/\w+)", PAGE)[1]).url_name == "readyz"


# Commands


def command_lines():
    """Every command that containers, units and the page have the site run, without the folder of its program."""
    for service in deployed.ours().values():
        command = service.get("entrypoint", []) + service["command"]
        yield from (shlex.split(part) for part in command[2].split(" && ")) if command[0] == "sh" else [command]
    for name in SERVICES:
        program, *arguments = shlex.split(unit(name)["Service"]["ExecStart"])
        yield [program.rpartition("/")[2], *arguments]
    for line in re.findall(
        r"(?:\.venv/bin/|^\| [\w ,()`/]+ \| `)(python|gunicorn|celery)( [^\n`|]*)", PAGE, re.MULTILINE
    ):
        yield shlex.split("".join(line))
    for line in re.findall(r"docker compose run --rm manage (.*)", PAGE):
        yield ["python", "manage.py", *shlex.split(line)]
    for line in re.findall(r"`manage\.py ([^`]*)`", PAGE):
        yield ["python", "manage.py", *shlex.split(line)]


@pytest.mark.parametrize("line", {" ".join(line): line for line in command_lines()}.values(), ids=" ".join)
def test_every_command_is_one_that_there_is(line):
    program, *arguments = line
    if program == "gunicorn":
        assert arguments[:2] == ["--config", "python:config.gunicorn"]
        assert import_module(arguments[-1]).application
    elif program == "celery":
        assert ("config" in arguments, "worker" in arguments or "beat" in arguments) == (True, True)
    elif arguments[0] == "-m":
        assert arguments[1] == "web.server"
    else:
        assert arguments[0] == "manage.py"
        assert arguments[1] in get_commands()


def arguments_of(command):
    """A command of Celery without its program and without a folder of one deployment."""
    return [word for word in command[1:] if not word.startswith("--schedule=")]


def test_beat_runs_as_the_one_command_runs_it():
    by_unit = shlex.split(unit("foothold-beat.service")["Service"]["ExecStart"])
    for command in (by_unit, deployed.ours()["beat"]["command"]):
        assert arguments_of(command) == [*serve.CELERY[1:], *serve.BEAT[:-1]]


@pytest.mark.parametrize("lane", settings.LANES)
def test_each_lane_has_a_worker_as_the_one_command_runs_it(lane):
    by_unit = shlex.split(unit("foothold-worker@.service")["Service"]["ExecStart"].replace("%i", lane))
    for command in (by_unit, deployed.ours()[f"worker-{lane}"]["command"]):
        assert arguments_of(command) == [*serve.CELERY[1:], *serve.WORKER, f"--queues={lane}"]
    assert f"foothold-worker@{lane}" in re.search(r"systemctl enable --now (.*foothold-worker.*)", PAGE)[1].split()


# Units


@pytest.mark.parametrize("name", SERVICES)
def test_units_agree(name):
    service = unit(name)["Service"]
    assert service["ExecStart"].startswith(f"{service['WorkingDirectory']}/.venv/bin/")
    assert (service["User"], service["ProtectSystem"], service["NoNewPrivileges"]) == ("foothold", "strict", "true")
    assert service["EnvironmentFile"] in PAGE
    assert service["WorkingDirectory"] in PAGE
    folder = f"/var/lib/{service['StateDirectory']}"
    assert all(deployed.optional()[name].startswith(folder) for name in ("DATA_DIR", "STATIC_DIR"))
    assert all(path.startswith(f"--schedule={folder}/") for path in re.findall(r"--schedule=\S+", service["ExecStart"]))
    assert re.search(rf"systemctl enable --now .*\b{name.removesuffix('.service').removesuffix('@')}\b", PAGE)


def test_what_ends_late_is_given_the_time():
    assert int(unit("foothold-web.service")["Service"]["TimeoutStopSec"]) > gunicorn.graceful_timeout
    assert deployed.ours()["web"]["stop_grace_period"] == f"{gunicorn.graceful_timeout + 10}s"


@pytest.mark.parametrize("name", ["web", "live"])
def test_sockets_are_where_the_proxy_asks(name):
    address = unit(f"foothold-{name}.socket")["Socket"]["ListenStream"]
    assert address.startswith("127.0.0.1:")
    assert f"upstream foothold_{name} {{\n    server {address};" in NGINX
    assert unit(f"foothold-{name}.service")["Unit"]["Requires"] == f"foothold-{name}.socket"


# Proxies


def test_nginx_sends_live_events_unbuffered_and_waits_for_them():
    (live,) = blocks(NGINX, "location /live/")
    assert "proxy_pass http://foothold_live;" in live
    assert "proxy_buffering off;" in live
    assert int(re.search(r"proxy_read_timeout (\d+)s;", live)[1]) == 4 * KEEP_ALIVE
    # Other headers there would take the place of all that are set above.
    assert "proxy_set_header" not in live
    (pages,) = (block for block in blocks(NGINX, "location / ") if "proxy_pass" in block)
    assert "proxy_pass http://foothold_web;" in pages
    assert "off" not in pages


def test_caddy_sends_live_events_unbuffered_and_waits_for_them():
    (live,) = blocks(CADDY, r"handle /live/\*")
    assert "reverse_proxy live:8001" in live
    assert "flush_interval -1" in live
    assert int(re.search(r"read_timeout (\d+)s", live)[1]) == 4 * KEEP_ALIVE
    (pages,) = blocks(CADDY, r"handle(?= \{)")
    assert "reverse_proxy web:8000" in pages


def test_proxies_ask_the_next_machine_while_people_still_wait():
    assert re.findall(r"proxy_connect_timeout (\d+)s;", NGINX) == ["2"]
    assert re.findall(r"dial_timeout (\d+)s", CADDY) == ["2", "2"]


def test_all_live_addresses_are_below_the_one_that_proxies_know():
    scripts = (path.read_text() for path in (ROOT / "static/js").rglob("*.js"))
    streams = {path for text in scripts for path in re.findall(r"new EventSource\(`?(/[\w/]*)", text)}
    assert streams
    assert {address for address in streams if not address.startswith("/live/")} == set()
    views = (path.read_text() for path in ROOT.glob("*/**/views*/**/*.py"))
    served = {path for text in views if "stream(" in text for path in re.findall(r'path\("([^"]*)", live', text)}
    assert served == {"live/", "live/events/"}


def test_proxies_overwrite_what_the_site_believes():
    (server,) = (block for block in blocks(NGINX, r"\nserver ") if "ssl_certificate" in block)
    headers = dict(re.findall(r"proxy_set_header (\S+) (\S+);", server))
    assert headers["X-Forwarded-For"] == "$remote_addr"
    assert headers["X-Forwarded-Proto"] == "$scheme"
    assert headers["Host"] == "$host"
    # Caddy overwrites them unless configured to trust a proxy.
    assert "trusted_proxies" not in CADDY
    assert "header_up" not in CADDY


def nginx_takes(path):
    """The bytes of a body that nginx takes at a path."""
    (default,) = re.findall(r"^    client_max_body_size (\d+);", NGINX, re.MULTILINE)
    (programs,) = blocks(NGINX, r"location \^~ /api/")
    places = blocks(programs if path.startswith("/api/") else NGINX.replace(programs, ""), r"location ~ ")
    sizes = re.compile(r"location ~ (\S+) \{.*client_max_body_size (\d+);", re.DOTALL)
    matches = [
        match for place in places if (match := sizes.match(place)) and "proxy_pass http://foothold_web;" in place
    ]
    return next((int(match[2]) for match in matches if re.search(match[1], path)), int(default))


def caddy_takes(path):
    """The same for Caddy, which must not take less, and may take a little more."""
    patterns = dict(re.findall(r"@(\w+) path_regexp (\S+)$", CADDY, re.MULTILINE))
    unit = {"KB": 1000, "MB": 1_000_000}
    sizes = re.findall(r"request_body @(\w+) \{\s+max_size (\d+)([KM]B)", CADDY)
    limits = {name: int(size) * unit[unit_name] for name, size, unit_name in sizes}
    return next((limits[name] for name, pattern in patterns.items() if re.search(pattern, path)), limits["others"])


def test_proxies_take_as_large_a_body_as_each_address():
    large = {}
    for address in addresses():
        path = address.path(dict.fromkeys(address.arguments, "1"))
        most = bodies.body_limit_of(resolve(path).func, is_api=path.startswith("/api/")).most
        large |= {path: most} if most > bodies.FORM else {}
        least = max(most, bodies.FORM)
        assert least <= nginx_takes(path) <= max(8_000_000, least), path
        assert nginx_takes(path) <= caddy_takes(path) <= max(300_000, nginx_takes(path)), path
    assert {nginx_takes(path) for path in large} == {8_000_000, bodies.LARGEST}
    assert nginx_takes("/no/such/page/") == bodies.FORM
    assert int(re.search(r"request_buffers (\d+)MB", CADDY)[1]) * 1_000_000 == bodies.LARGEST


def test_caddy_refuses_by_its_length_what_it_would_not_take():
    refused, _ = blocks(CADDY, r"@too_large(?= \{)")  # and what becomes of it
    others, _ = blocks(CADDY, r"@others(?= \{)")
    assert re.findall("not path_regexp .*", refused) == re.findall("not path_regexp .*", others)
    length = re.compile(re.search(r"header_regexp Content-Length (\S+)", refused)[1])
    assert [bool(length.search(each)) for each in ("0", "262144", "299999", "300000", "1000000")] == [0, 0, 0, 1, 1]


def test_proxies_wait_no_longer_than_the_site():
    assert int(re.search(r"client_header_timeout (\d+)s;", NGINX)[1]) == bodies.HEAD_SECONDS
    assert int(re.search(r"client_body_timeout (\d+)s;", NGINX)[1]) == bodies.SILENT_SECONDS
    assert int(re.search(r"send_timeout (\d+)s;", NGINX)[1]) == bodies.SEND_SECONDS
    assert int(re.search(r"read_header (\d+)s", CADDY)[1]) == bodies.HEAD_SECONDS
    assert int(re.search(r"read_body (\d+)m", CADDY)[1]) * 60 >= bodies.seconds_for(bodies.LARGEST)


def test_proxies_refuse_programs_in_json():
    answers = re.findall(r"return \d+ '(.*)';", NGINX) + re.findall(r"respond @\w+ `(.*)`", CADDY)
    assert [json.loads(answer)["code"] for answer in answers] == ["https_only", "too_large", "busy", "too_large"]
    (programs,) = blocks(NGINX, r"location \^~ /api/")
    assert re.findall(r"error_page (\d+) @(\w+);", programs) == [("413", "too_large"), ("503", "busy")]


def test_nginx_ends_tls_as_is_safe_and_leads_no_program_to_it():
    (plain, tls) = blocks(NGINX, r"\nserver ")
    assert "ssl_protocols TLSv1.2 TLSv1.3;" in tls
    ciphers = re.search(r"ssl_ciphers (\S+);", tls)[1].split(":")
    assert all(re.fullmatch(r"ECDHE-\w+-(AES\d+-GCM-SHA\d+|CHACHA20-POLY1305)", cipher) for cipher in ciphers)
    (programs,) = blocks(plain, r"location ~ ")
    answer = re.search(r"return 403 '(.*)';", programs)[1]
    assert json.loads(answer)["code"] == "https_only"
    pattern = re.search(r"location ~ (\S+)", programs)[1]
    assert re.search(pattern, "/api/v1/rulesets/")
    assert not re.search(pattern, "/api/v1/docs/")


def test_proxies_log_no_addresses():
    assert all("access_log off;" in block for block in blocks(NGINX, r"\nserver "))
    assert not re.search(r"^\s*log\b", CADDY, re.MULTILINE)


def test_a_connection_that_a_proxy_keeps_is_not_shut_under_it():
    assert int(re.search(r"keepalive (\d+)s", CADDY)[1]) < gunicorn.keepalive


# The page


def test_files_that_the_page_names_are_there():
    names = set(re.findall(r"(?<![\w/])((?:deploy|docs|bin)/[\w./-]+\w)", PAGE)) | {"compose.yaml", ".env.example"}
    assert {name for name in names if not (ROOT / name).exists()} == set()


def test_services_that_the_page_names_are_there():
    for line in re.findall(r"docker compose (?:up|stop|start|logs|run --rm)(.*)", PAGE):
        names = [word for word in line.split() if not word.startswith("-") and "/" not in word and "=" not in word]
        assert set(names[:1]) <= set(deployed.services()), line
    units = set(re.findall(r"\bfoothold-\w+(?:\.\w+)?", PAGE))
    existing = {path.name for path in UNITS.iterdir()} | {path.stem.rstrip("@") for path in UNITS.iterdir()}
    assert units
    assert units <= existing
