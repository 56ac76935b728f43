"""Machines of a network of their own: namespaces that one can unplug, with addresses that nobody else has."""

import os
import shutil
import signal
import subprocess
from contextlib import suppress

SHARED = "198.18"
"""Of the addresses that are kept for trials of networks (RFC 2544)."""


def ip(*words):
    return subprocess.run(["ip", *words], check=True, capture_output=True, text=True).stdout


def can_be_made():
    """Whether this user may make networks."""
    if os.geteuid() != 0 or shutil.which("ip") is None:
        return False
    network = Network()
    try:
        network.make()
        network.add()
    except subprocess.CalledProcessError:
        return False
    finally:
        network.remove()
    return True


class Network:
    """A switch at which this machine has `address`, and the machines that are plugged into it."""

    def __init__(self):
        in_use = ip("-4", "-oneline", "address")
        number = next(n for n in range(os.getpid() % 200, 254) if f"{SHARED}.{n}." not in in_use)
        # The names of interfaces have at most 15 letters.
        self.name, self.subnet, self.machines = f"fh{os.getpid()}", f"{SHARED}.{number}", []
        self.address = f"{self.subnet}.1"

    def make(self):
        ip("link", "add", self.name, "type", "bridge")
        ip("address", "add", f"{self.address}/24", "dev", self.name)
        ip("link", "set", self.name, "up")

    def add(self):
        """Plug in another machine."""
        number = len(self.machines) + 1
        machine = Namespace(f"{self.name}m{number}", f"{self.subnet}.{number + 1}")
        self.machines.append(machine)
        ip("netns", "add", machine.name)
        ip("link", "add", machine.name, "type", "veth", "peer", "name", "eth0", "netns", machine.name)
        ip("link", "set", machine.name, "master", self.name, "up")
        ip("-netns", machine.name, "address", "add", f"{machine.address}/24", "dev", "eth0")
        for interface in ("lo", "eth0"):
            ip("-netns", machine.name, "link", "set", interface, "up")
        return machine

    def remove(self):
        """Leave nothing, however far it was made."""
        for machine in self.machines:
            with suppress(subprocess.CalledProcessError):
                machine.kill()
                ip("netns", "delete", machine.name)
        with suppress(subprocess.CalledProcessError):
            ip("link", "delete", self.name)


class Namespace:
    """A machine: what runs in it reaches others over its one link only."""

    def __init__(self, name, address):
        self.name, self.address = name, address

    def command(self, *words):
        """The command that runs another within."""
        return ["ip", "netns", "exec", self.name, *words]

    def die(self):
        """Lose the link, then everything that runs: nobody on other machines is told."""
        ip("link", "set", self.name, "down")
        self.kill()

    def kill(self):
        for pid in ip("netns", "pids", self.name).split():
            with suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)
