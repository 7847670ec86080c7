extends VBoxContainer
## Press as often as you can in five seconds.

const ROUND_SECONDS := 5.0

var points := 0
var rounds := 0


func _ready() -> void:
	Spaceport.pause.connect(func(): get_tree().paused = true)
	Spaceport.resume.connect(func(): get_tree().paused = false)
	Spaceport.mute.connect(func(is_muted): AudioServer.set_bus_mute(0, is_muted))
	await Spaceport.ready_to_play()
	rounds = int(await Spaceport.load_data("rounds", 0))
	$Press.pressed.connect(_press)
	Spaceport.loading(1)
	_begin()


func _begin() -> void:
	points = 0
	$Said.text = "Round %d" % (rounds + 1)
	Spaceport.playing(true)
	await get_tree().create_timer(ROUND_SECONDS, false).timeout
	Spaceport.playing(false)
	rounds += 1
	Spaceport.save_data("rounds", rounds)
	var answer := await Spaceport.submit_score("points", points)
	$Said.text = "%d points, best %d" % [points, answer.value.best] if answer.ok else "%d points" % points
	await get_tree().create_timer(2.0, false).timeout
	_begin()


func _press() -> void:
	points += 1
	$Said.text = str(points)
	if points == 10:
		Spaceport.unlock("ten")
