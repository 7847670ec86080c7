using System;
using System.Collections.Generic;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Threading.Tasks;
using UnityEngine;

/// <summary>The error of a failed call. Its <see cref="Code"/> is listed in docs/player-errors.md.</summary>
public sealed class SpaceportException : Exception
{
    public string Code { get; }

    public SpaceportException(string code, string message) : base(message)
    {
        Code = code;
    }
}

/// <summary>
/// The `Spaceport` of the page that a web build runs in: players, scores, achievements and saves. In the editor, and in
/// builds that are not for the web, every call fails with the code `unsupported`.
/// </summary>
public sealed class Spaceport : MonoBehaviour
{
    [Serializable]
    private struct Answer
    {
        public int id;
        public string code;
        public string text;
    }

    [Serializable]
    private struct Happening
    {
        public string name;
        public string text;
    }

    [Serializable]
    private struct Text
    {
        public string value;
    }

    /// <summary>Name and JSON value of an event: pause, resume, mute, player, online, update.</summary>
    public static event Action<string, string> Happened;

    private static readonly Dictionary<int, TaskCompletionSource<string>> waiting =
        new Dictionary<int, TaskCompletionSource<string>>();
    private static Spaceport instance;
    private static int lastId;

#if UNITY_WEBGL && !UNITY_EDITOR
    [DllImport("__Internal")]
    private static extern int SpaceportIsThere();

    [DllImport("__Internal")]
    private static extern void SpaceportCall(int id, string method, string args);

    [DllImport("__Internal")]
    private static extern void SpaceportListen();
#else
    private static int SpaceportIsThere() => 0;

    private static void SpaceportCall(int id, string method, string args) { }

    private static void SpaceportListen() { }
#endif

    [RuntimeInitializeOnLoadMethod(RuntimeInitializeLoadType.BeforeSceneLoad)]
    private static void Begin()
    {
        if (SpaceportIsThere() == 0)
            return;
        // Spaceport.jslib sends its messages to the object with this name.
        instance = new GameObject("Spaceport").AddComponent<Spaceport>();
        DontDestroyOnLoad(instance.gameObject);
        SpaceportListen();
    }

    /// <summary>
    /// Calls a method by its name in docs/players.md, with a JSON array of arguments. Returns JSON.
    /// </summary>
    public static Task<string> Call(string method, string args = "[]")
    {
        if (instance == null)
            return Task.FromException<string>(
                new SpaceportException("unsupported", "There is no page of a service around the game."));
        var id = ++lastId;
        var source = new TaskCompletionSource<string>();
        waiting[id] = source;
        SpaceportCall(id, method, args);
        return source.Task;
    }

    /// <summary>Waits until the page has answered, for at most two seconds.</summary>
    public static async Task Ready()
    {
        if (instance != null)
            await Call("ready");
    }

    public static Task<string> Loading(float fraction) => Call("loading", "[" + Number(fraction) + "]");

    public static Task<string> Playing(bool isOn) => Call("playing", isOn ? "[true]" : "[false]");

    /// <summary>Returns the rank and the best score as JSON.</summary>
    public static Task<string> SubmitScore(string board, double score) =>
        Call("scores.submit", "[" + Quote(board) + "," + Number(score) + "]");

    public static Task<string> Unlock(string achievement) =>
        Call("achievements.unlock", "[" + Quote(achievement) + "]");

    /// <param name="json">Any JSON, such as the result of JsonUtility.ToJson.</param>
    public static Task<string> Save(string slot, string json) =>
        Call("saves.set", "[" + Quote(slot) + "," + json + "]");

    /// <summary>Returns the save as JSON, with the saved value in `data`; "null" for an empty slot.</summary>
    public static Task<string> Load(string slot) => Call("saves.get", "[" + Quote(slot) + "]");

    /// <summary>Returns a text as a JSON string.</summary>
    public static string Quote(string text)
    {
        var json = JsonUtility.ToJson(new Text { value = text });
        return json.Substring(9, json.Length - 10);
    }

    private static string Number(double value) => value.ToString("R", CultureInfo.InvariantCulture);

    private void OnAnswer(string json)
    {
        var answer = JsonUtility.FromJson<Answer>(json);
        if (!waiting.TryGetValue(answer.id, out var source))
            return;
        waiting.Remove(answer.id);
        if (answer.code == "")
            source.SetResult(answer.text);
        else
            source.SetException(new SpaceportException(answer.code, answer.text));
    }

    private void OnEvent(string json)
    {
        var happening = JsonUtility.FromJson<Happening>(json);
        Happened?.Invoke(happening.name, happening.text);
    }
}
