"""Bots in other processes: limits, failures, games lost by rule, and the same games as in here."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gonzaga_agents import make_agent
from gonzaga_agents.outside import messages
from gonzaga_agents.outside.agent import OutsideAgent
from gonzaga_agents.outside.bots import check
from gonzaga_agents.outside.spec import Limits, parse_command
from gonzaga_agents.play.compare import compare, compared_lines
from gonzaga_agents.play.evaluate import evaluate
from gonzaga_agents.play.judge import judge_agents, make_judge
from gonzaga_agents.play.runner import agents_secret, play_games, results_with_forfeits
from gonzaga_agents.play.tournament_games import identify

from gonzaga_env.games import game_spec
from gonzaga_env.kernel.agent import AgentError
from tests.marks import nightly

HERE, ROOT = Path(__file__).parent, Path(__file__).parents[3]
PYTHON = f"'{sys.executable}' -S"
BAD, RANDOM = HERE / "bad_bot.py", ROOT / "examples/bots/random_bot.py"
CONFIG = game_spec("tuscany").config(num_players=2)
CHOICES = agents_secret(np.random.SeedSequence(0))
#: What each failure of bad_bot.py is counted as.
FAILURES = {
    **{"die": "died", "close": "died", "child": "hung", "hang": "hung", "memory": "died"},
    **{"flood": "flooded", "lines": "nonsense", "deaf": "nonsense", "nonsense": "nonsense"},
    **{"object": "nonsense", "few": "nonsense", "deep": "nonsense"},
    **{"index": "illegal", "kind": "illegal", "text": "illegal"},
}


def bad(how: str, after: int = 2, limits: str = "move=0.4,memory=2000") -> str:
    return f"cmd[{limits}]:{PYTHON} '{BAD}' {how} {after}"


def play(agents: list[Any], num_games: int = 2) -> Any:
    """Plays games of the first agent against the last, on each seat in turn."""
    seating = np.array([[0, len(agents) - 1], [len(agents) - 1, 0]] * (num_games // 2))
    seeds = np.arange(num_games, dtype=np.uint64)
    return play_games(CONFIG, agents, seating, seeds, CHOICES)


def children() -> dict[int, str]:
    """Returns the state of each child of this process, by number."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = path.read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if int(parent) == os.getpid():
            found[int(path.parent.name)] = state
    return found


@pytest.fixture(autouse=True)
def nothing_is_left():
    before = children()
    yield
    assert not {pid: state for pid, state in children().items() if pid not in before}


@pytest.mark.parametrize("how", FAILURES)
def test_a_bot_that_fails_is_counted_and_loses(how: str, capfd: pytest.CaptureFixture) -> None:
    limits = "move=5,memory=2000" if FAILURES[how] != "hung" else "move=0.3"
    bot = make_agent(bad(how, limits=f"{limits},restarts=0"), CONFIG)
    agents = [bot, make_agent("random", CONFIG)]
    engine = play(agents)
    assert set(bot.failures) <= {FAILURES[how], "died"}  # it is not started again
    assert bot.failures[FAILURES[how]] >= 1
    assert bot.lost.tolist() == [[True, False], [False, True]]
    totals, won = results_with_forfeits(engine, agents)
    assert won.tolist() == [[False, True], [True, False]]
    assert (totals[bot.lost] < totals[~bot.lost]).all()
    assert FAILURES[how] in capfd.readouterr().err
    bot.close()


def test_a_comparison_counts_what_bots_forfeit() -> None:
    bot = bad("die", limits="move=5,restarts=0")
    failed, other, _ = compare(CONFIG, [bot, "random", "random"], deals=2, seed=1)
    assert failed.win_share.mean == 0
    assert failed.margin.mean < 0
    assert failed.failures is not None
    assert failed.failures["died"] >= 1
    assert other.failures is None
    assert "Failed decisions of" in [*compared_lines([failed, other, other])][-1]


def test_a_judge_asks_a_bot_again_and_counts_what_it_chose() -> None:
    judge = make_judge("search@2", CONFIG)
    whole, failing = (
        judge_agents(CONFIG, [spec], judge, 2, seed=1)[0]
        for spec in (f"cmd:{PYTHON} '{RANDOM}'", bad("index", 1, "move=5"))
    )
    assert whole.failures == {}
    assert failing.failures is not None
    assert 0 < failing.decisions < whole.decisions
    assert failing.decisions + failing.failures["illegal"] == whole.decisions


def test_a_late_answer_is_skipped() -> None:
    agent = make_agent(bad("late", limits="move=5"), CONFIG)
    play([agent])
    assert not agent.failures
    assert agent.close() == 0


def test_a_bot_is_started_again_and_replaced() -> None:
    agent = make_agent(bad("die", 3, "move=5,on_failure=random,restarts=2"), CONFIG)
    play([agent])
    assert not agent.lost.any()
    assert agent._starts == 3
    assert agent.failures["died"] > 3
    with pytest.raises(AgentError, match=r"died.*exit code 3"):
        play([make_agent(bad("die", 3, "move=5,on_failure=stop"), CONFIG)])


def test_time_for_a_game_runs_out() -> None:
    agent = make_agent(f"cmd[game=1e-6]:{PYTHON} '{RANDOM}'", CONFIG)
    play([agent])
    assert set(agent.failures) == {"hung"}
    assert agent.lost.all()
    agent.close()


@pytest.mark.parametrize("command", ["true", f"{PYTHON} -c 'print([])'", "cat", f"{PYTHON} -c 1/0"])
def test_what_is_no_bot_ends_the_run(command: str) -> None:
    with pytest.raises(AgentError, match="before it was ready"):
        play([make_agent(f"cmd[start=2]:{command}", CONFIG)])


def test_specs_are_read_and_refused() -> None:
    command = parse_command("cmd[move=2, on_failure=stop]:./bot --flag 'two words' $HOME; ls")
    assert command is not None
    assert command.words == ("./bot", "--flag", "two words", "$HOME;", "ls")  # no shell
    assert command.limits == Limits(move=2.0, on_failure="stop")
    assert parse_command("random") is parse_command("module:Class") is None
    for wrong in ("cmd:", "cmd: ", "cmd:'", "cmd[moves=2]:x", "cmd[move=-1]:x", "cmd[move=nan]:x"):
        with pytest.raises(AgentError):
            parse_command(wrong)
    with pytest.raises(AgentError, match="no such program"):
        play([make_agent("cmd:./no_such_bot", CONFIG)])


def test_a_bot_is_an_entrant_with_its_files() -> None:
    assert identify(f"cmd:python {RANDOM}").digest == identify(f"cmd:python3 {RANDOM}").digest
    assert identify("cmd:true").digest is None


def test_evaluations_count_failures() -> None:
    summary = evaluate([bad("die", 2), "random"], deals=1, seed=1, game="tuscany")
    assert summary.agents[0].win_share.mean == 0
    assert summary.agents[0].failures == {"died": 2}
    assert summary.agents[1].failures is None
    assert "2 died" in summary._repr_html_()


def test_tables_call_a_bot_as_it_calls_itself() -> None:
    spec = f"cmd:{PYTHON} '{RANDOM}'"
    names = [one.name for one in evaluate([spec, "random"], deals=1, game="tuscany").agents]
    assert names == ["random bot (bot)", "random"]
    alike = [spec, f"cmd[move=5]:{PYTHON} '{RANDOM}'"]
    assert [one.name for one in evaluate(alike, deals=1, game="tuscany").agents] == alike


def test_a_bot_plays_against_a_search_only() -> None:
    with pytest.raises(AgentError, match=r"'cmd:\./bot': a bot plays against a search, but not"):
        make_agent("search@64:cmd:./bot", CONFIG)
    assert type(make_agent(f"cmd:{PYTHON} '{RANDOM}'", CONFIG)) is OutsideAgent


@pytest.mark.parametrize("game", ["tuscany", *nightly("gonzaga", "signorie")])
def test_a_served_agent_plays_the_same_games(game: str) -> None:
    config = game_spec(game).config(num_players=2)
    served = make_agent(f"cmd:'{sys.executable}' -m gonzaga_env bot serve greedy", config)
    assert isinstance(served, OutsideAgent)
    seating, seeds = np.array([[0, 0], [0, 0]]), np.arange(2, dtype=np.uint64)
    states = [
        play_games(config, [agent], seating, seeds, CHOICES).state
        for agent in (make_agent("greedy", config), served)
    ]
    assert not served.failures
    assert states[0].to_bytes() == states[1].to_bytes()
    observations = game_spec(game).engine.from_config(config, 3, seed=1)
    seen = observations.observe(), observations.legal_action_mask()
    actions = served.act(*seen, np.random.default_rng(0))
    assert seen[1][np.arange(3), actions].all()
    assert served.close() == 0


HELLO = json.dumps(messages.hello(CONFIG, Limits()))


@pytest.mark.parametrize(
    "said",
    [
        "hello",
        '{"type": "hello"}',
        '{"type": "hello", "options": null, "edition": null}',
        f'{HELLO}\n{{"type": "decide", "bytes": null}}',
        f'{HELLO}\n{{"type": "decide", "bytes": 0, "id": 1, "decisions": [{{}}], "rng": null}}',
    ],
)
def test_a_host_that_breaks_the_protocol_is_refused(said: str) -> None:
    command = [sys.executable, "-m", "gonzaga_env", "bot", "serve", "greedy"]
    done = subprocess.run(command, input=said, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "gonzaga bot: the host" in done.stderr
    assert done.stderr.count("\n") == 1


def reference_bots(folder: Path) -> dict[str, str]:
    """Returns commands of the bots in examples/bots whose tools are here."""
    bots = {"python": f"{PYTHON} '{RANDOM}'"}
    if shutil.which("node"):
        bots["node"] = f"node '{ROOT / 'examples/bots/text_bot.mjs'}'"
    if shutil.which("cc"):
        source, program = ROOT / "examples/bots/last_bot.c", folder / "last_bot"
        flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-O1"]
        subprocess.run(["cc", *flags, "-o", program, source], check=True)
        bots["c"] = str(program)
    return bots


def test_the_reference_bots_conform(tmp_path: Path) -> None:
    for name, command in reference_bots(tmp_path).items():
        bot = parse_command(f"cmd:{command}")
        assert bot is not None
        findings = list(check(bot, CONFIG))
        assert all(finding.ok for finding in findings), (name, findings)
        assert len(findings) == 6
    for path in (ROOT / "examples/bots").iterdir():
        assert len(path.read_text().splitlines()) < 150, path


@pytest.mark.parametrize("how", ["few", "text", "hang"])
def test_a_check_finds_faults(how: str) -> None:
    bot = parse_command(bad(how, 0, "move=0.3"))
    assert bot is not None
    findings = [finding for finding in check(bot, CONFIG) if not finding.ok]
    assert len(findings) == 1
    assert findings[0].text.startswith("one decision: ")


@pytest.mark.parametrize("number", [20, *nightly(1000)])
def test_bots_that_are_killed_at_any_moment_leave_nothing(number: int) -> None:
    rng = np.random.default_rng(0)
    engine = game_spec("tuscany").engine.from_config(CONFIG, 8, seed=3, autoreset=False)
    for _ in range(number):
        agent = make_agent(f"cmd[on_failure=random]:{PYTHON} '{RANDOM}'", CONFIG)
        agent.begin(8)
        actions = agent.act_for(engine, np.arange(8), rng)  # it has started
        pid, moment = agent.pid, rng.random() * 0.01
        kind = signal.SIGKILL if rng.integers(4) else signal.SIGSTOP
        killer = threading.Timer(moment, os.kill, (pid, kind))
        killer.start()
        object.__setattr__(agent._command.limits, "move", 0.05)
        until = time.monotonic() + 20
        while not agent.failures:
            assert time.monotonic() < until
            actions = agent.act_for(engine, np.arange(8), rng)
            assert engine.legal_action_mask()[np.arange(8), actions].all()
        killer.join()
        assert set(agent.failures) <= {"died", "hung"}
        agent.close()


@pytest.mark.parametrize("game", ["gonzaga", "tuscany"])
def test_a_bot_learns_nothing_that_is_hidden_from_its_seat(game: str) -> None:
    """What is asked is equal for games that the seat cannot tell apart, with all a bot may want."""
    spec = game_spec(game)
    config, rng = spec.config(num_players=3), np.random.default_rng(0)
    one = spec.game.from_config(config, 4)
    for _ in range(25):
        twin = one.resampled(one.seat, rng)
        assert twin.state.to_bytes() != one.state.to_bytes()
        asked, other = (questions(config, each.state) for each in (one, twin))
        assert asked == other
        assert len(asked) > 2000
        one.play(one.sample_legal(rng))
    assert "seed" not in str(messages.hello(config, Limits()))


def questions(config: Any, state: Any) -> bytes:
    """Returns what a bot is asked that wants everything."""
    engine = game_spec(config.game).engine.from_state(config, state, autoreset=False)
    asked, rows = list[bytes](), np.arange(1)

    class Asking(OutsideAgent):
        def _start(self) -> None:
            self._want = frozenset(messages.WANTS)

        def _exchange(self, question: Any, arrays: bytes, deadline: float) -> Any:
            del question["clock"]
            asked.append(messages.line(question, arrays))
            return {"id": 1, "actions": [int(engine.legal_action_mask()[0].argmax())]}

    command = parse_command("cmd:none")
    assert command is not None
    agent = Asking(command, config)
    agent.begin(1)
    agent.act_for(engine, rows, np.random.default_rng(0))
    return asked[0]
