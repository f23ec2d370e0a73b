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
  const listeners = callbacksBySocket.get(socket) ?? listenersOf(socket)
  listeners.add(callback)
  return () => listeners.delete(callback)
}

function listenersOf(socket: Socket): Set<() => void> {
  const listeners = new Set<() => void>()
  callbacksBySocket.set(socket, listeners)
  socket.once('close', () => {
    for (const callback of listeners) callback()
  })
  return listeners
}
