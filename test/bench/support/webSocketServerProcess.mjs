import { WebSocket } from 'ws';
import { ServerProcess } from './serverProcess.mjs';

/** The same for a server that prints the address of its websocket, one message a text frame. */
export class WebSocketServerProcess extends ServerProcess {
  unsent = [];
  printed = '';

  receive(data) {
    this.printed += data;
    const url = /^ws:\/\/\S+/m.exec(this.printed)?.[0];
    if (url !== undefined && this.webSocket === undefined) this.connect(url);
  }

  connect(url) {
    this.webSocket = new WebSocket(url, { perMessageDeflate: false, maxPayload: 0 });
    this.webSocket.on('open', () => {
      for (const text of this.unsent.splice(0)) this.webSocket.send(text);
    });
    this.webSocket.on('message', (data) => {
      this.receivedBytes += data.length;
      this.handleLine(data.toString());
    });
    this.webSocket.on('error', (error) => this.fail(error.message));
  }

  send(message) {
    const text = JSON.stringify(message);
    if (this.webSocket?.readyState === WebSocket.OPEN) this.webSocket.send(text);
    else this.unsent.push(text);
  }
}
