"""gate.py - clients that act until they are told to stop, and moments at which none of them does."""
import random
import threading
import time


class Gate:
    """Lets the watcher stop everybody between two acts."""

    def __init__(self):
        self.news = threading.Condition()
        self.inside = 0
        self.is_shut = False
        self.ended = False

    def enter(self):
        with self.news:
            self.news.wait_for(lambda: not self.is_shut)
            self.inside += 1

    def leave(self):
        with self.news:
            self.inside -= 1
            self.news.notify_all()

    def quiet(self, look):
        with self.news:
            self.is_shut = True
            self.news.wait_for(lambda: self.inside == 0)
        time.sleep(0.3)  # what was left alone is noticed and freed
        seen = look()
        with self.news:
            self.is_shut = False
            self.news.notify_all()
        return seen


class Visitor(threading.Thread):
    """A client: picks one of its acts at random, again and again. What an act raises is a finding."""

    def __init__(self, number, gate, title):
        super().__init__(daemon=True)
        self.random = random.Random(number)
        self.gate, self.title = gate, title
        self.acts, self.faults = [], []
        self.calls = 0

    def fill(self):
        """Fills what the server keeps on purpose, before anybody looks at its memory."""

    def drop(self):
        """Gives up the connection, if there is one."""

    def run(self):
        while not self.gate.ended:
            self.gate.enter()
            act = self.random.choice(self.acts)
            try:
                act()
                self.calls += 1
            except Exception as error:  # noqa: BLE001 - whatever it is, it is a finding
                self.faults.append(f"{self.title}: {act.__name__}: {type(error).__name__}: {error}")
                self.drop()
            finally:
                self.gate.leave()
        self.drop()
