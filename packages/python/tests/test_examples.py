"""The Python programs in `examples`: a command-line program and a notebook."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import REPOSITORY, Service

EXAMPLES = REPOSITORY / "examples"


@pytest.fixture
def environment(service: Service) -> dict[str, str]:
    source = str(REPOSITORY / "packages/python/src")
    return {
        **os.environ,
        "FRAMEGATE_URL": service.base_url,
        "FRAMEGATE_API_KEY": service.api_key,
        "PYTHONPATH": source,
    }


def test_variations_stay_within_the_budget_and_are_not_paid_twice(environment: dict[str, str], tmp_path: Path) -> None:
    def run(budget: str) -> list[str]:
        options = ["a lighthouse", "--count", "100", "--budget", budget, "--out", str(tmp_path / "lighthouse")]
        command = [sys.executable, str(EXAMPLES / "variations/variations.py"), *options]
        ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return ended.stdout.splitlines()

    first = run("0.1")
    count, price = int(first[0].split()[0]), float(first[0].split()[-3])
    assert 0 < count * price <= 0.1 < (count + 1) * price
    files = sorted(path.name for path in (tmp_path / "lighthouse").iterdir())
    assert files == [f"{number:03}.png" for number in range(count)]
    assert first[-1].startswith(f"{count * price:g} credits spent in this run, {count} images")
    (tmp_path / "lighthouse" / "000.png").unlink()
    # The idempotency key of the task is known, so the same task is downloaded again. The run still counts its price.
    assert run("0.1")[-1].startswith(f"{price:g} credits spent in this run, {count} images")


def test_the_notebook_runs_and_shows_its_results(
    service: Service, environment: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FRAMEGATE_URL", service.base_url)
    monkeypatch.setenv("FRAMEGATE_API_KEY", service.api_key)
    notebook = json.loads((EXAMPLES / "notebook/boat.ipynb").read_text("utf-8"))
    names: dict[str, Any] = {}
    outputs = [run_cell("".join(cell["source"]), names) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    balance, image, video, charged = outputs
    assert balance.balance > 0
    assert image._repr_html_().startswith("<img")
    assert '<video controls loop width="480" src="data:video/mp4;base64,' in video._repr_html_()
    assert charged >= names["image"].amount + names["video"].amount
    assert (tmp_path / "boat.png").is_file()
    names["client"].close()


def run_cell(source: str, names: dict[str, Any]) -> Any:
    """Runs a cell as a notebook does, and returns the value of its last line."""
    *statements, last = ast.parse(source).body
    exec(compile(ast.Module(statements, []), "<cell>", "exec"), names)  # noqa: S102
    assert isinstance(last, ast.Expr)
    return eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)  # noqa: S307
