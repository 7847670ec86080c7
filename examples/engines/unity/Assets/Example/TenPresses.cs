using System;
using System.Threading.Tasks;
using UnityEngine;

/// <summary>Press as often as you can in five seconds. Put it on any object of an empty scene.</summary>
public sealed class TenPresses : MonoBehaviour
{
    [Serializable]
    private struct Progress
    {
        public int rounds;
    }

    [Serializable]
    private struct Kept
    {
        public Progress data;
    }

    [Serializable]
    private struct Result
    {
        public double best;
    }

    private const float RoundSeconds = 5;
    private Progress progress;
    private int points;
    private float left;
    private string said = "Loading";

    private async void Start()
    {
        Spaceport.Happened += Hear;
        await Spaceport.Ready();
        progress = await Try(async () => JsonUtility.FromJson<Kept>(await Spaceport.Load("progress")).data, progress);
        _ = Try(() => Spaceport.Loading(1), "");
        Begin();
    }

    private void OnDestroy()
    {
        Spaceport.Happened -= Hear;
    }

    private void Begin()
    {
        points = 0;
        left = RoundSeconds;
        said = "Round " + (progress.rounds + 1);
        _ = Try(() => Spaceport.Playing(true), "");
    }

    private void Update()
    {
        if (left <= 0)
            return;
        left -= Time.deltaTime;
        if (left <= 0)
            End();
    }

    private async void End()
    {
        progress.rounds++;
        said = points + " points";
        _ = Try(() => Spaceport.Playing(false), "");
        _ = Try(() => Spaceport.Save("progress", JsonUtility.ToJson(progress)), "");
        var result = await Try(() => Spaceport.SubmitScore("points", points), "");
        if (result != "")
            said += ", best " + JsonUtility.FromJson<Result>(result).best;
        Invoke(nameof(Begin), 2);
    }

    private void OnGUI()
    {
        GUILayout.Label(said);
        if (GUILayout.Button("Press!", GUILayout.Width(240), GUILayout.Height(120)) && left > 0)
        {
            said = (++points).ToString();
            if (points == 10)
                _ = Try(() => Spaceport.Unlock("ten"), "");
        }
    }

    private static void Hear(string name, string json)
    {
        if (name == "pause")
            Time.timeScale = 0;
        if (name == "resume")
            Time.timeScale = 1;
        if (name == "mute")
            AudioListener.pause = json == "true";
    }

    /// <summary>Returns `otherwise` if the call fails, so that the game goes on.</summary>
    private static async Task<T> Try<T>(Func<Task<T>> call, T otherwise)
    {
        try
        {
            return await call();
        }
        catch (SpaceportException error)
        {
            Debug.Log(error.Code + ": " + error.Message);
            return otherwise;
        }
    }
}
