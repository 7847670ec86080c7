// The browser's part of Spaceport.cs. It sends answers and events to the game object "Spaceport", as JSON.
mergeInto(LibraryManager.library, {
  SpaceportIsThere: function () {
    return window.Spaceport ? 1 : 0;
  },

  SpaceportCall: function (id, method, args) {
    var answer = function (said) {
      said.id = id;
      SendMessage('Spaceport', 'OnAnswer', JSON.stringify(said));
    };
    window.Spaceport.call(UTF8ToString(method), UTF8ToString(args)).then(
      function (value) {
        answer({ code: '', text: value });
      },
      function (error) {
        answer({ code: error.code || 'invalid', text: String(error.message) });
      },
    );
  },

  SpaceportListen: function () {
    ['pause', 'resume', 'mute', 'player', 'online', 'update'].forEach(function (name) {
      window.Spaceport.on(name, function (value) {
        SendMessage('Spaceport', 'OnEvent', JSON.stringify({ name: name, text: JSON.stringify(value) }));
      });
    });
  },
});
