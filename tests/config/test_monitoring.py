"""A web server, a worker and a clock as they run: /metrics of one tells of all, and all of them log in JSON."""

import json
import urllib.request

from tests.sites import PATIENCE

TOKEN = "a-token-for-reading-metrics"


def test_one_web_process_tells_of_all_and_every_line_is_json(site, wait_for):
    site.environment |= {"METRICS_TOKEN": TOKEN, "LOG_FORMAT": "json"}
    address = site.web()
    site.worker()
    site.beat()

    def read_metrics():
        request = urllib.request.Request(f"{address}/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
        with urllib.request.urlopen(request, timeout=PATIENCE) as response:
            samples = response.read().decode()
        there = [f'foothold_processes{{role="{role}"}} 1.0' for role in ("web", "worker", "clock")]
        return samples if all(line in samples for line in there) else None

    wait_for(read_metrics, "three processes that tell", site)
    # The worker tells of its first tasks the next time.
    wait_for(
        lambda: 'outcome="done",task="gameplay.tasks.sweep_deadlines"' in (read_metrics() or ""),
        "tasks that were counted",
        site,
    )
    with urllib.request.urlopen(f"{address}/readyz", timeout=PATIENCE) as response:
        assert set(json.load(response).values()) == {"ok"}
    lines = [json.loads(line) for line in site.output().splitlines()]
    by_logger = {line["logger"]: line for line in lines}
    assert by_logger["web.monitoring.request_logging"]["request_id"]
    assert by_logger["config.tasks_watched"]["task_id"]
    assert TOKEN not in site.output()
