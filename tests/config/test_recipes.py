"""Each recipe of a deployment passes the linter of its kind, and runs the same processes as compose.yaml."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import kubernetes_validate
import pytest
import yaml
from django.conf import settings
from django.urls import resolve

from tests.config import deployed
from tests.config.deployed import ROOT

PAGE = (ROOT / "docs/hosting.md").read_text()
DOKKU = ROOT / "deploy/dokku"
COOLIFY = ROOT / "deploy/coolify/compose.yaml"
KUBERNETES = ROOT / "deploy/kubernetes"
UNITS = ROOT / "deploy/systemd"

WORKERS = [f"worker-{lane}" for lane in settings.LANES]
WEB = ["python", "-m", "web.server", "0.0.0.0:8000"]
"""Pages and live events in one process, for proxies that know only one."""
OF_KUBERNETES = ["1.31", "1.37"]
"""The oldest and the newest version whose schemas the files must match."""


def needs(program):
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"{program} is not installed")


# Linters


def complaints_about_compose(file):
    """What the schema of the Compose specification has against a file; nothing if it passes."""
    command = [str(Path(sys.executable).with_name("check-jsonschema")), "--builtin-schema", "vendor.compose-spec"]
    done = subprocess.run([*command, str(file)], capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def without_words_of_coolify(text):
    return re.sub(r"^ +exclude_from_hc: true\n", "", text, flags=re.MULTILINE)


@pytest.mark.parametrize("file", [ROOT / "compose.yaml", COOLIFY], ids=["compose", "coolify"])
def test_compose_files_are_valid(file, tmp_path):
    copy = tmp_path / "compose.yaml"
    copy.write_text(without_words_of_coolify(file.read_text()))
    assert complaints_about_compose(copy) == ""


def test_a_wrong_word_in_a_compose_file_is_found(tmp_path):
    copy = tmp_path / "compose.yaml"
    copy.write_text((ROOT / "compose.yaml").read_text().replace("stop_grace_period", "stop_grace", 1))
    assert "stop_grace" in complaints_about_compose(copy)


def complaints_about_units(folder):
    """What systemd has against the units in a folder, whose programs need not be there."""
    for file in folder.glob("*.service"):
        file.write_text(re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", file.read_text(), flags=re.MULTILINE))
    command = ["systemd-analyze", "verify", "--man=no", *sorted(map(str, folder.iterdir()))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    # Unknown words are only warned of.
    return done.stdout + done.stderr


@needs("systemd-analyze")
def test_units_are_valid(tmp_path):
    folder = shutil.copytree(UNITS, tmp_path / "units")
    assert complaints_about_units(folder) == ""
    web = folder / "foothold-web.service"
    web.write_text(web.read_text().replace("RestartSec=", "RestartSecs="))
    assert "RestartSecs" in complaints_about_units(folder)


@cache
def built():
    """The objects of the Kustomize example, made as the page for operators says."""
    makes_settings = re.search(r"^sed .*> settings\.env$", PAGE, re.MULTILINE)[0]
    with TemporaryDirectory() as folder:
        shutil.copytree(KUBERNETES, f"{folder}/deploy/kubernetes")
        shutil.copy(deployed.EXAMPLE, folder)
        example = f"{folder}/deploy/kubernetes/example"
        subprocess.run(makes_settings, shell=True, cwd=example, check=True)
        command = ["kubectl", "kustomize", example]
        return list(yaml.safe_load_all(subprocess.run(command, capture_output=True, text=True, check=True).stdout))


def by_name(kind):
    return {each["metadata"]["name"]: each for each in built() if each["kind"] == kind}


@needs("kubectl")
@pytest.mark.parametrize("version", OF_KUBERNETES)
def test_what_kubernetes_gets_is_valid(version):
    for each in built():
        kubernetes_validate.validate(each, version, strict=True)


@needs("kubectl")
def test_a_wrong_word_in_what_kubernetes_gets_is_found():
    wrong = json.loads(json.dumps(by_name("Deployment")["foothold-web"]))
    wrong["spec"]["template"]["spec"]["containers"][0]["readyProbe"] = {}
    with pytest.raises(kubernetes_validate.ValidationError, match="readyProbe"):
        kubernetes_validate.validate(wrong, OF_KUBERNETES[-1], strict=True)


# Compose, from an image alone


def test_the_image_has_all_files_that_compose_needs():
    files = {
        volume.partition(":")[0] for service in deployed.services().values() for volume in service.get("volumes", ())
    }
    files = {file.removeprefix("./") for file in files if file.startswith(".")} | {"compose.yaml", ".env.example"}
    fetched = re.search(r"docker run --rm \S+ tar -cf - (compose\.yaml .*) \| tar -xf -", PAGE)[1].split()
    included = re.findall(r"^!(\S+)$", (ROOT / ".dockerignore").read_text(), re.MULTILINE)
    for file in files:
        assert file.partition("/")[0] in fetched, file
    assert set(fetched) <= set(included)


def test_no_file_names_a_registry():
    files = [
        *(path for path in (ROOT / "deploy").rglob("*") if path.is_file()),
        ROOT / "compose.yaml",
        ROOT / "Dockerfile",
    ]
    images = {
        name for file in files for name in re.findall(r"^\s*(?:image|newName|FROM):? (\S+)", file.read_text(), re.M)
    }
    assert {name for name in images if "." in name.partition("/")[0] and "/" in name} == set()


def test_secrets_of_an_installation_never_get_into_the_image():
    assert re.search(r"^deploy/kubernetes/\*/settings\.env$", (ROOT / ".dockerignore").read_text(), re.MULTILINE)


# Dokku


def processes():
    """The commands of the Procfile, by process."""
    lines = (line for line in (DOKKU / "Procfile").read_text().splitlines() if not line.startswith("#"))
    return {name: shlex.split(command) for name, command in (line.split(": ", 1) for line in lines)}


def test_dokku_runs_the_processes_of_compose():
    commands = processes()
    assert commands.pop("release") == ["python", "manage.py", "migrate", "--no-input"]
    assert commands.pop("web") == WEB
    assert commands == {name: deployed.ours()[name]["command"] for name in [*WORKERS, "beat"]}
    # Dokku passes words on without a shell.
    assert not re.search(r"[$&|;<>]", (DOKKU / "Procfile").read_text())


def test_dokku_starts_one_of_each_and_asks_whether_pages_answer():
    manifest = json.loads((DOKKU / "app.json").read_text())
    assert set(manifest) == {"formation", "healthchecks"}
    assert {name: each["quantity"] for name, each in manifest["formation"].items()} == dict.fromkeys(
        set(processes()) - {"release"}, 1
    )
    ((name, (check,)),) = manifest["healthchecks"].items()
    assert (name, check["type"]) == ("web", "startup")
    assert check["command"] == deployed.ours()["web"]["healthcheck"]["test"][1:]
    assert set(check) <= {"type", "name", "command", "attempts", "wait", "timeout"}


def test_dokku_is_given_every_setting_that_it_needs():
    variables = set(re.findall(r"\b([A-Z_]+)=", "".join(re.findall(r"^dokku config:set .*$", PAGE, re.MULTILINE))))
    linked = {f"{alias}_URL" for alias in re.findall(r"--alias (\w+)", PAGE)} | {"DATABASE_URL"}
    needed = {*deployed.example(), *deployed.environment_of("web")} - {"WEB_CONCURRENCY", "POSTGRES_PASSWORD"}
    # The image says where data is; the demo is made by bin/serve alone.
    assert variables | linked == needed - {"DATA_DIR", "STATIC_DIR", "DEMO"}


# Coolify


def of_coolify():
    return yaml.safe_load(COOLIFY.read_text())["services"]


def test_coolify_runs_the_services_of_compose():
    ours = deployed.services()
    theirs = of_coolify()
    assert set(theirs) == set(ours) - {"live", "manage", "proxy"}
    assert theirs["web"]["command"] == WEB
    for name in [*WORKERS, "beat"]:
        assert theirs[name]["command"] == ours[name]["command"]
        assert theirs[name].get("stop_grace_period") == ours[name].get("stop_grace_period")
    assert theirs["web"]["healthcheck"] == ours["web"]["healthcheck"]
    for name in set(theirs) - {"db", "redis"}:
        for word in ("restart", "init", "read_only", "tmpfs", "cap_drop", "security_opt", "depends_on"):
            assert theirs[name][word] == ours[name][word], (name, word)
    assert theirs["redis"] == ours["redis"]
    assert {**theirs["db"], "environment": {}} == {**ours["db"], "environment": {}}


def test_coolify_passes_on_every_setting():
    variables = set(of_coolify()["web"]["environment"])
    fixed = {"DATA_DIR", "STATIC_DIR", "POSTGRES_PASSWORD", "IMAGE"}
    # Of gunicorn, and of a proxy that sets the header.
    alone = {"WEB_CONCURRENCY", "TRUST_REQUEST_ID"}
    assert variables == {*deployed.example(), *deployed.optional(), "DEMO"} - fixed - alone


# Kubernetes


def pods():
    """The templates of pods, by name of the object that makes them."""
    makers = {**by_name("Deployment"), **by_name("Job")}
    return {name: each["spec"]["template"]["spec"] for name, each in makers.items()}


@needs("kubectl")
def test_kubernetes_runs_the_processes_of_compose():
    commands = {name.removeprefix("foothold-"): pod["containers"][0]["command"] for name, pod in pods().items()}
    assert commands.pop("migrate")[2] == "python manage.py check --deploy && python manage.py migrate --no-input"
    assert commands.pop("web") == WEB
    assert commands == {name: deployed.ours()[name]["command"] for name in [*WORKERS, "beat"]}
    for name in WORKERS:
        assert (
            f"{pods()[f'foothold-{name}']['terminationGracePeriodSeconds']}s"
            == deployed.ours()[name]["stop_grace_period"]
        )


@needs("kubectl")
def test_no_pod_has_rights_and_all_have_image_settings_and_one_place_to_write():
    (secret,) = by_name("Secret")
    (fixed,) = by_name("ConfigMap")
    assert len(pods()) == 3 + len(WORKERS)
    for name, pod in pods().items():
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert f"--uid {pod['securityContext']['runAsUser']} " in (ROOT / "Dockerfile").read_text()
        for container in [*pod["containers"], *pod.get("initContainers", ())]:
            assert container["image"] == "your-image:1", name
            assert container["envFrom"] == [{"configMapRef": {"name": fixed}}, {"secretRef": {"name": secret}}]
            assert container["securityContext"] == {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            }
            assert container["volumeMounts"] == [{"name": "tmp", "mountPath": "/tmp"}]
            assert container["resources"]["limits"]["memory"]


@needs("kubectl")
def test_settings_that_follow_from_kubernetes_are_those_of_containers():
    (fixed,) = by_name("ConfigMap").values()
    web = deployed.environment_of("web")
    assert fixed["data"] == {name: web[name] for name in ("PROXY_COUNT", "SEVERAL_MACHINES", "DEMO")}
    (secret,) = by_name("Secret").values()
    assert set(secret["data"]) == set(deployed.example())


@needs("kubectl")
def test_all_but_the_job_wait_until_the_database_is_up_to_date():
    waiting = {name for name, pod in pods().items() if pod.get("initContainers")}
    assert waiting == set(by_name("Deployment"))
    for name in waiting:
        (first,) = pods()[name]["initContainers"]
        assert first["command"] == ["python", "manage.py", "migrate", "--check"]


@needs("kubectl")
def test_probes_ask_the_port_of_pages_as_localhost():
    (container,) = pods()["foothold-web"]["containers"]
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        get = container[probe]["httpGet"]
        assert resolve(get["path"]).url_name == "healthz"
        assert get["httpHeaders"] == [{"name": "Host", "value": "localhost"}]
        assert get["port"] == container["ports"][0]["name"]
    assert WEB[-1] == f"0.0.0.0:{container['ports'][0]['containerPort']}"


@needs("kubectl")
def test_pages_and_workers_scale_and_beat_does_not():
    scaled = {each["spec"]["scaleTargetRef"]["name"] for each in by_name("HorizontalPodAutoscaler").values()}
    assert scaled == {"foothold-web", *(f"foothold-{name}" for name in WORKERS)}
    for name, each in by_name("Deployment").items():
        # A number of its own would undo the scaler's at every upgrade.
        assert ("replicas" in each["spec"]) == (name not in scaled)
        assert each["spec"]["template"]["spec"]["containers"][0]["resources"]["requests"]["cpu"]
    beat = by_name("Deployment")["foothold-beat"]["spec"]
    assert (beat["replicas"], beat["strategy"]) == (1, {"type": "Recreate"})


@needs("kubectl")
def test_the_ingress_leads_to_the_pages():
    (service,) = by_name("Service").values()
    (ingress,) = by_name("Ingress").values()
    (path,) = ingress["spec"]["rules"][0]["http"]["paths"]
    assert (path["path"], path["backend"]["service"]["name"]) == ("/", service["metadata"]["name"])
    labels = by_name("Deployment")["foothold-web"]["spec"]["template"]["metadata"]["labels"]
    assert service["spec"]["selector"].items() <= labels.items()


# The page


def test_files_that_the_page_names_are_there():
    names = set(re.findall(r"(?<![\w/])(deploy/[\w./-]+\w)", PAGE))
    assert {name for name in names if not (ROOT / name).exists()} == set()
    assert {path.name for path in (ROOT / "deploy").iterdir() if path.is_dir()} - {"systemd"} == {
        name.split("/")[1] for name in names
    }
