"""A register at a primary, a, with copies at the backups b and c.

The primary commits a write when all backups have acknowledged it. With --count-answers it has a bug: it counts
acknowledgements, not backups, so a backup that acknowledges a message and its retransmission counts twice.
"""

import sys

from harness import serve

PRIMARY = "a"
COUNTS_ANSWERS = "--count-answers" in sys.argv


class Primary:
    def __init__(self, names):
        self.backups = [name for name in names if name != PRIMARY]
        self.entry = {"version": 0, "value": "none"}
        self.committed = 0
        self.answers = []
        self.queue = []

    def start(self, out):
        pass

    def request(self, out, number, request):
        self.queue.append((number, request))
        self.write_next(out)

    def write_next(self, out):
        if self.queue and self.committed == self.entry["version"]:
            value = self.queue[0][1]["write"]
            self.entry = {"version": self.entry["version"] + 1, "value": value}
            self.answers = []
            out.event("write", {"value": value})
            self.send_entry(out)

    def send_entry(self, out):
        for backup in self.backups:
            out.send(backup, self.entry)
        out.set_timer("retry", 20)

    def timeout(self, out, timer):
        self.send_entry(out)

    def deliver(self, out, sender, message):
        version = self.entry["version"]
        if message["version"] != version or self.committed == version:
            return
        out.event("acknowledge", {"backup": sender, "version": version})
        if COUNTS_ANSWERS or sender not in self.answers:
            self.answers.append(sender)
        if len(self.answers) == len(self.backups):
            self.commit(out)

    def commit(self, out):
        self.committed = self.entry["version"]
        number, _ = self.queue.pop(0)
        out.event("commit", {"version": self.committed})
        out.clear_timer("retry")
        out.reply(number, {"version": self.committed})
        self.write_next(out)

    def state(self):
        return {"entry": self.entry, "committed": self.committed, "acked": sorted(set(self.answers))}


class Backup:
    def __init__(self):
        self.entry = {"version": 0, "value": "none"}

    def start(self, out):
        pass

    def deliver(self, out, sender, message):
        if message["version"] > self.entry["version"]:
            self.entry = message
            out.event("store", message)
        out.send(sender, {"version": message["version"]})

    def state(self):
        return {"entry": self.entry}


def make_node(name, names, chance):
    return Primary(names) if name == PRIMARY else Backup()


serve(["a", "b", "c"], make_node, crashes=False)
