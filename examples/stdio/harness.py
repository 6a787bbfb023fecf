"""What a Python program needs to be driven by norn over stdio: see docs/stdio-protocol.md.

A program gives `serve` a function that makes its nodes. A node has any of the methods start, deliver, timeout, tick,
request, crash, restart and state; what it does it asks of `out`. Only the standard library is used.
"""

import json
import random
import sys
import traceback


class Out:
    """What a node does in answer to one command."""

    def __init__(self):
        self.answer = {}

    def send(self, to, message):
        self._add("sent", {"to": to, "message": message})

    def set_timer(self, timer, ms):
        self._add("timers", {"set": timer, "ms": ms})

    def clear_timer(self, timer):
        self._add("timers", {"clear": timer})

    def event(self, event, data=None):
        self._add("events", {"event": event, "data": data})

    def reply(self, number, reply):
        self._add("replies", {"number": number, "reply": reply})

    def _add(self, field, item):
        self.answer.setdefault(field, []).append(item)


def serve(names, make_node, **hello):
    """Answers commands until stdin ends.

    make_node(name, names, chance) makes a node that has never run; chance is a random.Random of the execution.
    """
    stdout = sys.stdout
    sys.stdout = sys.stderr  # What is printed must not get between the answers.
    nodes = {}

    def answer_to(command):
        nonlocal names, nodes
        try:
            if command["command"] == "hello":
                names = command.get("nodes", names)
                return {"protocol": 1, "nodes": names, "batches": True, **hello}
            if command["command"] == "batch":
                return {"answers": answers_to(command["commands"])}
            if command["command"] == "reset":
                chance = random.Random(command["seed"])
                nodes = {name: make_node(name, names, chance) for name in names}
                return {}
            return handle(nodes, command)
        except Exception as error:
            stack = traceback.format_exc()
            return {"error": {"name": type(error).__name__, "message": str(error), "stack": stack}}

    def answers_to(commands):
        answers = []
        for command in commands:
            answers.append(answer_to(command))
            if "error" in answers[-1]:
                break  # An error ends the batch.
        return answers

    for line in sys.stdin:
        command = json.loads(line)
        stdout.write(json.dumps({"id": command["id"], **answer_to(command)}) + "\n")
        stdout.flush()


def handle(nodes, command):
    name, out = command["command"], Out()
    node = nodes[command["node"]]
    if name == "start":
        node.start(out)
    elif name == "deliver":
        node.deliver(out, command["from"], command["message"])
    elif name == "timeout":
        node.timeout(out, command["timer"])
    elif name == "tick":
        node.tick(out)
    elif name == "request":
        node.request(out, command["number"], command["request"])
    elif name == "crash":
        node.crash()
    elif name == "restart":
        node.restart(out)
    else:
        raise ValueError(f"unknown command {name}")
    return {**out.answer, "states": {command["node"]: node.state()}}
