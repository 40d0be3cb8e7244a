"""Workers end with their parent."""

import os
import subprocess
import sys
import textwrap
import time

import pytest


@pytest.mark.skipif(sys.platform != "linux", reason="it looks into /proc")
def test_a_worker_ends_with_its_parent_even_while_it_works() -> None:
    code = """
        import os, signal, time
        from gonzaga_agents.executors import ProcessPool
        if __name__ == "__main__":
            pool = ProcessPool(1)
            pid = pool.submit(os.getpid).result()
            pool.submit(time.sleep, 60)
            print(pid, flush=True)
            os.kill(os.getpid(), signal.SIGKILL)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False
    )
    pid = int(done.stdout)
    for _ in range(100):
        if not os.path.exists(f"/proc/{pid}"):  # noqa: PTH110
            return
        time.sleep(0.05)
    pytest.fail("the worker goes on")
