"""A finished toy run."""

from dataclasses import replace

import pytest
from gonzaga_agents.commands.train import setup_of
from gonzaga_agents.training import run as run_module
from gonzaga_agents.training.run import Run

from tests.agents.training.conftest import touch_samples
from tests.agents.training.toys import TOY


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Returns the run; tests change copies of its files."""
    setup = setup_of(replace(TOY, opponents="random,past", num_games=2))
    run = Run(
        replace(setup, minibatch=32, width=8),
        tmp_path_factory.mktemp("run") / "small",
        resume=False,
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run_module, "write_samples", touch_samples)
        run.learn()
    run.save()
    return run
