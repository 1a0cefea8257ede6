"""dialects.py - what a model's server is asked and answers, in the form of each vendor's API.

A dialect reads a request body (which tools are offered, what a tool's result became on its way) and
writes an answer: a call of a tool, or text. Only what the hosts of this test use is here."""
import base64
import json


class Received:
    """What the model gets as the result of one call."""

    def __init__(self, texts=(), images=(), error=False):
        self.texts, self.images, self.error = list(texts), list(images), error

    @property
    def text(self):
        return "\n".join(self.texts)


def _size(encoded):
    return len(base64.b64decode(encoded))


def _of_address(address):
    """(form, bytes) of an image that is written as a data: address."""
    return ("data: address", _size(address.partition(",")[2])) if address.startswith("data:") else ("link", 0)


class Anthropic:
    name = "Anthropic messages"

    def program_tool(self, offered):
        return None

    def is_turn(self, path):
        return path.endswith("/v1/messages")

    def tools(self, body):
        return {tool["name"]: tool for tool in body.get("tools", [])}

    def system(self, body):
        system = body.get("system", "")
        texts = [system] if isinstance(system, str) else [part["text"] for part in system]
        for message in body["messages"]:
            content = message["content"]
            texts += [content] if isinstance(content, str) else [
                part["text"] for part in content if part["type"] == "text"]
        return "\n".join(texts)

    def results(self, body):
        found = {}
        for message in body["messages"]:
            for part in message["content"] if isinstance(message["content"], list) else []:
                if part["type"] == "tool_result":
                    found[part["tool_use_id"]] = self._result(part)
        return found

    def _result(self, part):
        got = Received(error=bool(part.get("is_error")))
        content = part.get("content") or []
        for block in [{"type": "text", "text": content}] if isinstance(content, str) else content:
            if block["type"] == "text":
                got.texts.append(block["text"])
            elif block["type"] == "image":
                got.images.append(("image block", _size(block["source"]["data"])))
        return got

    def answer(self, body, number, text, call):
        blocks = [{"type": "text", "text": text}] if text else []
        if call:
            blocks.append({"type": "tool_use", "id": f"toolu_{number:04}", "name": call[0], "input": call[1]})
        message = {"id": f"msg_{number:04}", "type": "message", "role": "assistant", "model": body["model"],
                   "content": blocks, "stop_reason": "tool_use" if call else "end_turn", "stop_sequence": None,
                   "usage": {"input_tokens": 1, "output_tokens": 1}}
        return message, list(self._events(message)) if body.get("stream") else None

    def _events(self, message):
        yield "message_start", {"message": {**message, "content": [], "stop_reason": None}}
        for index, block in enumerate(message["content"]):
            if block["type"] == "text":
                start, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
            else:
                start = {**block, "input": {}}
                delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
            yield "content_block_start", {"index": index, "content_block": start}
            yield "content_block_delta", {"index": index, "delta": delta}
            yield "content_block_stop", {"index": index}
        yield "message_delta", {"delta": {"stop_reason": message["stop_reason"], "stop_sequence": None},
                                "usage": {"output_tokens": 1}}
        yield "message_stop", {}

    def call_id(self, number):
        return f"toolu_{number:04}"


# What the stand-in writes where the model calls tools from programs (Codex: code mode). All parts of a result are
# passed on, pictures as pictures.
LOOK = """text(ALL_TOOLS.filter((tool) => tool.name.includes("tenon") && tool.name.endsWith("_%s")));"""
CALL = """const got = await tools.mcp__tenon__%s(%s);
for (const part of got.content ?? []) {
  if (part.type === "text") text(part.text);
  else if (part.type === "image") image(part);
  else text(part);
}
if (got.structuredContent) text(got.structuredContent);
if (got.isError) text("isError");
"""


class Responses:
    name = "OpenAI responses"
    searcher = "tool_search"

    def is_turn(self, path):
        return path.endswith("/responses")

    def tools(self, body):
        """Those of the request, and those that a search has brought; Codex puts some among the messages."""
        lists = [body.get("tools", [])]
        lists += [item["tools"] for item in body["input"] if item.get("type") in ("additional_tools", "tool_search_output")]
        found = {}
        for tool in [tool for tools in lists for tool in tools]:
            for one in tool.get("tools", [tool]):
                space = tool["name"] if one is not tool else ""
                found[(space and space + ".") + one.get("name", one["type"])] = {**one, "namespace": space} if space else one
        return found

    def program_tool(self, offered):
        """The tool that runs programs, where the model calls all others from within one."""
        return next((name for name, tool in offered.items() if tool["type"] == "custom" and name.endswith("exec")), None)

    def look_program(self, name):
        return LOOK % name

    def call_program(self, name, arguments):
        return CALL % (name, json.dumps(arguments))

    def system(self, body):
        texts = [body.get("instructions", "")]
        for item in body["input"]:
            for part in item.get("content") or [] if item.get("type", "message") == "message" else []:
                texts.append(part if isinstance(part, str) else part.get("text", ""))
        return "\n".join(texts)

    def results(self, body):
        found = {}
        for item in body["input"]:
            if item.get("type") in ("function_call_output", "custom_tool_call_output"):
                found[item["call_id"]] = self._result(item["output"])
            elif item.get("type") == "tool_search_output":
                found[item["call_id"]] = Received([json.dumps(item["tools"])])
        return found

    def _result(self, output):
        got = Received()
        for part in [{"type": "input_text", "text": output}] if isinstance(output, str) else output:
            if part["type"] == "input_image":
                got.images.append(_of_address(part["image_url"]))
            else:
                got.texts.append(part.get("text", ""))
        got.error = got.text.endswith("isError")
        return got

    def _call(self, body, number, name, arguments):
        offered = self.tools(body)
        tool = offered[name]
        base = {"call_id": self.call_id(number), "status": "completed"}
        if tool.get("type") == self.searcher:
            return {**base, "type": "tool_search_call", "execution": "client", "arguments": arguments}
        if tool["type"] == "custom":
            item = {**base, "type": "custom_tool_call", "name": tool["name"], "input": arguments}
        else:
            item = {**base, "type": "function_call", "name": tool["name"], "arguments": json.dumps(arguments)}
        return {**item, "namespace": tool["namespace"]} if tool.get("namespace") else item

    def answer(self, body, number, text, call):
        items = []
        if text:
            items.append({"type": "message", "role": "assistant", "id": f"msg_{number:04}", "status": "completed",
                          "content": [{"type": "output_text", "text": text, "annotations": []}]})
        if call:
            items.append({"id": f"fc_{number:04}", **self._call(body, number, *call)})
        response = {"id": f"resp_{number:04}", "object": "response", "status": "completed", "output": items,
                    "usage": {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}}
        events = [("response.created", {"response": {**response, "status": "in_progress", "output": []}})]
        for index, item in enumerate(items):
            events.append(("response.output_item.added", {"output_index": index, "item": item}))
            events.append(("response.output_item.done", {"output_index": index, "item": item}))
        events.append(("response.completed", {"response": response}))
        return response, events if body.get("stream") else None

    def call_id(self, number):
        return f"call_{number:04}"


class Chat:
    name = "OpenAI chat completions"

    def program_tool(self, offered):
        return None

    def is_turn(self, path):
        return path.endswith("/chat/completions")

    def tools(self, body):
        return {tool["function"]["name"]: tool for tool in body.get("tools", [])}

    def system(self, body):
        return "\n".join(text for message in body["messages"] if message["role"] != "tool"
                         for text in self._parts(message.get("content")).texts)

    def _parts(self, content):
        got = Received()
        for part in [{"type": "text", "text": content or ""}] if not isinstance(content, list) else content:
            if part["type"] == "text":
                got.texts.append(part["text"])
            elif part["type"] == "image_url":
                got.images.append(_of_address(part["image_url"]["url"]))
        return got

    def results(self, body):
        found, last = {}, None
        for message in body["messages"]:
            if message["role"] == "tool":
                last = found[message["tool_call_id"]] = self._parts(message.get("content"))
            elif message["role"] == "user" and last:
                # This API has no pictures in a tool's message; hosts send them in one of the user's.
                last.images += [("in a message of the user", size)
                                for _, size in self._parts(message.get("content")).images]
        return found

    def answer(self, body, number, text, call):
        message = {"role": "assistant", "content": text or None}
        if call:
            message["tool_calls"] = [{"index": 0, "id": self.call_id(number), "type": "function",
                                      "function": {"name": call[0], "arguments": json.dumps(call[1])}}]
        base = {"id": f"chat_{number:04}", "created": 1, "model": body["model"],
                "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}}
        reason = "tool_calls" if call else "stop"
        whole = {**base, "object": "chat.completion",
                 "choices": [{"index": 0, "message": message, "finish_reason": reason}]}
        chunk = {**base, "object": "chat.completion.chunk"}
        events = [(None, {**chunk, "choices": [{"index": 0, "delta": message, "finish_reason": None}]}),
                  (None, {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})]
        return whole, events if body.get("stream") else None

    def call_id(self, number):
        return f"call_{number:04}"


class Gemini:
    name = "Gemini generateContent"

    def program_tool(self, offered):
        return None

    def is_turn(self, path):
        return path.endswith(("generateContent", "streamGenerateContent"))

    def tools(self, body):
        return {one["name"]: one for tool in body.get("tools", []) for one in tool.get("functionDeclarations", [])}

    def system(self, body):
        parts = [*body.get("systemInstruction", {}).get("parts", [])]
        parts += [part for content in body["contents"] for part in content["parts"]]
        return "\n".join(part["text"] for part in parts if "text" in part)

    def results(self, body):
        found = {}
        for content in body["contents"]:
            last = None
            for part in content["parts"]:
                if "functionResponse" in part:
                    last = self._result(part["functionResponse"])
                    found[self.call_id(len(found) + 1)] = last
                elif last and "inlineData" in part:
                    last.images.append(("inlineData beside it", _size(part["inlineData"]["data"])))
        return found

    def _result(self, answer):
        response = answer.get("response", {})
        got = Received(error="error" in response)
        for value in response.values():
            got.texts.append(value if isinstance(value, str) else json.dumps(value))
        for part in answer.get("parts", []):
            if "inlineData" in part:
                got.images.append(("inlineData inside it", _size(part["inlineData"]["data"])))
        return got

    def answer(self, body, number, text, call):
        parts = [{"text": text}] if text else []
        if call:
            parts.append({"functionCall": {"name": call[0], "args": call[1]}})
        whole = {"candidates": [{"index": 0, "content": {"role": "model", "parts": parts}, "finishReason": "STOP"}],
                 "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}}
        return whole, [(None, whole)]

    def call_id(self, number):
        return f"call {number}"
