import assert from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { suite, test } from 'node:test';
import { OpenResponses } from './open-responses.ts';

/** Begins a request on the connection. */
function begin(open: OpenResponses, socket: Socket): ServerResponse {
  const request = new IncomingMessage(socket);
  const response = new ServerResponse(request);
  open.begun(request, response);
  return response;
}

function connect(open: OpenResponses): Socket {
  const socket = new Socket();
  open.connected(socket);
  return socket;
}

suite('the open responses', () => {
  test('are those that have begun and not ended', () => {
    const open = new OpenResponses();
    const [first, second] = [connect(open), connect(open)];
    assert.deepEqual([...open], []);
    const one = begin(open, first);
    const other = begin(open, second);
    assert.deepEqual([...open], [one, other]);
    open.ended(one);
    assert.deepEqual([...open], [other]);
    const third = begin(open, first);
    assert.deepEqual([...open], [third, other]);
  });

  test('are the last of each connection, whichever ends first', () => {
    const open = new OpenResponses();
    const socket = connect(open);
    const first = begin(open, socket);
    const last = begin(open, socket);
    assert.deepEqual([...open], [last]);
    open.ended(first);
    assert.deepEqual([...open], [last]);
    open.ended(last);
    assert.deepEqual([...open], []);
  });

  test('end with their connection, and none begins after it', () => {
    const open = new OpenResponses();
    const socket = connect(open);
    begin(open, socket);
    socket.emit('close');
    assert.deepEqual([...open], []);
    begin(open, socket);
    assert.deepEqual([...open], []);
  });
});
