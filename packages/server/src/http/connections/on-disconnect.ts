import type { Socket } from 'node:net'

const callbacksBySocket = new WeakMap<Socket, Set<() => void>>()

/**
 * Calls `callback` when the connection closes, or at once if it is closed. The returned function
 * removes the callback. All requests of a connection share one listener.
 */
export function onDisconnect(socket: Socket, callback: () => void): () => void {
  if (socket.destroyed) {
    callback()
    return () => {}
  }
  const callbacks = callbacksBySocket.get(socket) ?? listenForClose(socket)
  callbacks.add(callback)
  return () => callbacks.delete(callback)
}

function listenForClose(socket: Socket): Set<() => void> {
  const callbacks = new Set<() => void>()
  callbacksBySocket.set(socket, callbacks)
  socket.once('close', () => {
    for (const callback of callbacks) callback()
  })
  return callbacks
}
