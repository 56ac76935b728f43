"""Many hands at the same instant."""

import threading


def at_once(*acts):
    """Run the actions at the same instant, each in a thread with its own connections; returns results or exceptions."""
    from django.db import connections

    barrier, results = threading.Barrier(len(acts)), [None] * len(acts)

    def run(index, act):
        try:
            barrier.wait()
            results[index] = act()
        except Exception as error:
            results[index] = error
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=each) for each in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results
