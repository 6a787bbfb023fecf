"""A lock that three nodes grant by majority, as leaders are elected: who wants it asks for votes in a new term.

There is a mistake in it, and no test that waits for answers in their order will ever show it.
"""

from harness import serve


class Node:
    def __init__(self, name, names, chance):
        self.name = name
        self.others = [other for other in names if other != name]
        self.majority = len(names) // 2 + 1
        self.chance = chance
        self.disk = {"term": 0, "voted": None}
        self.recover()

    def recover(self):
        """Back to what the disk knows."""
        self.term = self.disk["term"]
        self.voted = self.disk["voted"]
        self.holds = None
        self.votes = set()
        self.waiting = []

    def save(self):
        self.disk = {"term": self.term, "voted": self.voted}

    def start(self, out):
        pass

    def request(self, out, number, request):
        self.waiting.append(number)
        self.campaign(out)

    def campaign(self, out):
        self.term += 1
        self.voted = self.name
        self.votes = {self.name}
        self.holds = None
        self.save()
        for other in self.others:
            out.send(other, {"type": "ask", "term": self.term})
        # Two that ask at the same time must not meet again and again.
        out.set_timer("retry", 20 + self.chance.randrange(40))

    def timeout(self, out, timer):
        if self.waiting:
            self.campaign(out)

    def deliver(self, out, sender, message):
        if message["term"] > self.term:
            self.term = message["term"]
            self.voted = None
            self.holds = None
            self.save()
        if message["type"] == "ask":
            self.vote(out, sender, message["term"])
        elif message["type"] == "vote" and message["term"] == self.term:
            self.votes.add(sender)
            if len(self.votes) >= self.majority and self.holds is None:
                self.acquire(out)

    def vote(self, out, candidate, term):
        if term == self.term and self.voted in (None, candidate):
            self.voted = candidate
            out.send(candidate, {"type": "vote", "term": term})

    def acquire(self, out):
        self.holds = self.term
        out.clear_timer("retry")
        out.event("acquired", {"term": self.term})
        for number in self.waiting:
            out.reply(number, {"term": self.term})
        self.waiting = []

    def crash(self):
        self.recover()

    def restart(self, out):
        self.recover()

    def state(self):
        return {"term": self.term, "voted": self.voted, "holds": self.holds, "waiting": len(self.waiting)}


serve(["a", "b", "c"], Node, random=True)
