import type { Socket } from 'node:net'

const callbacksBySocket = new WeakMap<Socket, Set<() => void>>()

/**
 * Calls `callback` when the connection closes, unless the returned function is called first. All
 * requests of a connection share one listener.
 */
export function onDisconnect(socket: Socket, callback: () => void): () => void {
  if (socket.destroyed) {
    callback()
    return () => {}
  }
  const waiting = callbacksBySocket.get(socket) ?? listenersOf(socket)
  waiting.add(callback)
  return () => waiting.delete(callback)
}

function listenersOf(socket: Socket): Set<() => void> {
  const waiting = new Set<() => void>()
  callbacksBySocket.set(socket, waiting)
  socket.once('close', () => {
    for (const callback of waiting) callback()
  })
  return waiting
}
