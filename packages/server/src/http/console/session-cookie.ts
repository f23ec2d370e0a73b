import type { FastifyRequest } from 'fastify'
import { consolePath } from './console-paths.ts'

/** Reads and writes the cookie that holds the token of a session. */
export interface SessionCookie {
  read(request: FastifyRequest): string | null
  /** Returns the value of Set-Cookie that stores the token. The token null removes the cookie. */
  write(request: FastifyRequest, token: string | null): string
}

/**
 * With TLS, the name of the cookie has the prefix `__Host-`, so that no other host can set it.
 * Browsers reject this prefix on plain HTTP.
 */
export function createSessionCookie(suffix: string): SessionCookie {
  const plainName = `console_session_${suffix}`
  const secureName = `__Host-${plainName}`
  return {
    read({ raw }) {
      const cookies = new Map<string, string>()
      for (const part of (raw.headers.cookie ?? '').split(';')) {
        const separator = part.indexOf('=')
        if (separator !== -1) cookies.set(part.slice(0, separator).trim(), part.slice(separator + 1).trim())
      }
      return cookies.get(secureName) ?? cookies.get(plainName) ?? null
    },

    write({ raw }, token) {
      // Browsers send the origin with every request that begins or ends a session.
      const isSecure = raw.headers.origin?.startsWith('https:') === true
      const name = isSecure ? `${secureName}=` : `${plainName}=`
      const attributes = `Path=${isSecure ? '/; Secure' : consolePath}; HttpOnly; SameSite=Strict`
      return `${name}${token ?? ''}; ${attributes}${token === null ? '; Max-Age=0' : ''}`
    },
  }
}
