extends Node
## The `Spaceport` of the page that a web export runs in: players, scores, achievements and saves.
##
## Every call returns a Dictionary: `ok` and `value`, or `ok`, `code` and `message` if it failed. In the
## editor and in exports that are not for the web each call fails with the code `unsupported`, so a game need
## not ask where it runs.

## The page was hidden, or something covers the game.
signal pause
signal resume
signal mute(is_muted: bool)
## The player has changed, for example by signing in: `id`, `handle` (null for a guest) and `guest`.
signal player(who: Dictionary)
signal online(is_online: bool)
## Another version went live.
signal update(what: Dictionary)

signal _answered

const _BRIDGE := """
(function () {
  var spaceport = window.Spaceport;
  if (!spaceport) return;
  window.spaceportForGodot = {
    request: function (id, method, args, answer) {
      spaceport.call(method, args).then(
        function (value) { answer(id, '', value); },
        function (error) { answer(id, error.code || 'invalid', String(error.message)); }
      );
    },
    listen: function (hear) {
      ['pause', 'resume', 'mute', 'player', 'online', 'update'].forEach(function (name) {
        spaceport.on(name, function (value) { hear(name, JSON.stringify(value)); });
      });
    },
    state: function () {
      return JSON.stringify({
        env: spaceport.env,
        version: spaceport.version,
        locale: spaceport.locale,
        muted: spaceport.muted,
        player: spaceport.player.get()
      });
    }
  };
})();
"""

var _page: JavaScriptObject
# Godot frees a callback that no variable holds.
var _answer: JavaScriptObject
var _hear: JavaScriptObject
var _answers := {}
var _last_id := 0


func _ready() -> void:
	if not OS.has_feature("web"):
		return
	JavaScriptBridge.eval(_BRIDGE, true)
	_page = JavaScriptBridge.get_interface("spaceportForGodot")
	if _page == null:
		return
	_answer = JavaScriptBridge.create_callback(_on_answer)
	_hear = JavaScriptBridge.create_callback(_on_event)
	_page.listen(_hear)


## Returns what is known without a call: `env`, `version`, `locale`, `muted` and `player`. Empty without a
## page.
func state() -> Dictionary:
	return {} if _page == null else JSON.parse_string(_page.state())


## Calls a method by its name in docs/players.md: `await Spaceport.request("scores.top", ["points"])`.
func request(method: String, args: Array = []) -> Dictionary:
	if _page == null:
		return {"ok": false, "code": "unsupported", "message": "There is no page of a service around the game."}
	_last_id += 1
	var id := _last_id
	_page.request(id, method, JSON.stringify(args), _answer)
	while not _answers.has(id):
		await _answered
	var answer: Dictionary = _answers[id]
	_answers.erase(id)
	return answer


## Waits until the page has answered, for at most two seconds.
func ready_to_play() -> void:
	await request("ready")


func loading(fraction: float) -> void:
	request("loading", [fraction])


func playing(is_on: bool) -> void:
	request("playing", [is_on])


func submit_score(board: String, score: float) -> Dictionary:
	return await request("scores.submit", [board, score])


func unlock(achievement: String) -> Dictionary:
	return await request("achievements.unlock", [achievement])


func save_data(slot: String, data: Variant) -> Dictionary:
	return await request("saves.set", [slot, data])


## Returns what was saved, or `otherwise` if the slot is empty or cannot be read now.
func load_data(slot: String, otherwise: Variant = null) -> Variant:
	var answer := await request("saves.get", [slot])
	return answer.value.data if answer.ok and answer.value != null else otherwise


func _on_answer(given: Array) -> void:
	var code := str(given[1])
	var text := str(given[2])
	if code == "":
		_answers[int(given[0])] = {"ok": true, "value": JSON.parse_string(text)}
	else:
		_answers[int(given[0])] = {"ok": false, "code": code, "message": text}
	_answered.emit()


func _on_event(given: Array) -> void:
	var value: Variant = JSON.parse_string(str(given[1]))
	if value == null:
		emit_signal(str(given[0]))
	else:
		emit_signal(str(given[0]), value)
