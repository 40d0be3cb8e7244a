"""The manifest for Kubernetes: its command is one of ours, and its parts fit together."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest
from gonzaga_agents.common.command_line import parse
from gonzaga_agents.tournament.command import Arguments

MANIFEST = Path(__file__).parent.parent / "docs/scale/kuberay.yaml"


def test_the_manifest_plays_a_tournament_on_ray(monkeypatch) -> None:
    yaml = pytest.importorskip("yaml", reason="needs PyYAML, which Ray brings along")
    job = yaml.safe_load(MANIFEST.read_text())
    assert (job["apiVersion"], job["kind"]) == ("ray.io/v1", "RayJob")
    program, *words = shlex.split(job["spec"]["entrypoint"])
    monkeypatch.setattr(sys, "argv", [program, *words])
    arguments = parse(Arguments)
    assert (program, arguments.tournament) == ("gonzaga-evaluate", True)
    assert (arguments.executor, arguments.address) == ("ray", "auto")
    head = job["spec"]["rayClusterSpec"]["headGroupSpec"]["template"]["spec"]
    mounts = {mount["name"]: mount["mountPath"] for mount in head["containers"][0]["volumeMounts"]}
    (volume,) = head["volumes"]
    assert arguments.out.is_relative_to(mounts[volume["name"]])
    groups = job["spec"]["rayClusterSpec"]["workerGroupSpecs"]
    assert all(
        group["minReplicas"] <= group["replicas"] <= group["maxReplicas"] for group in groups
    )
