import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * Google's own client is in a separate folder, because some of its packages have install scripts,
 * which are not run. The types that the tests need are declared here, because the client's types
 * only exist where it is installed.
 */
const folder = new URL('google-client/', import.meta.url)
const isInstalled = existsSync(fileURLToPath(new URL('node_modules/@google/genai', folder)))
const googleClientUnavailable = isInstalled
  ? null
  : "Google's client is not installed: npm ci --prefix packages/server/test/upstreams/google-client"
if (googleClientUnavailable !== null) {
  if (process.env['CI'] === 'true') throw new Error(`CI must run these tests. ${googleClientUnavailable}`)
  console.warn(`Skipped: ${googleClientUnavailable}`)
}

export const hasGoogleClient = googleClientUnavailable === null

/** Returns the name of a suite, with the reason if the suite is skipped. */
export const googleClientSuite = (name: string): string =>
  googleClientUnavailable === null ? name : `${name} (skipped: ${googleClientUnavailable})`

export interface GoogleClient {
  models: {
    generateVideos(requested: {
      model: string
      source: { prompt: string; image?: { imageBytes: string; mimeType: string } }
      config: Record<string, unknown>
    }): Promise<GoogleOperation>
  }
  operations: { getVideosOperation(requested: { operation: GoogleOperation }): Promise<GoogleOperation> }
  files: { download(requested: { file: object; downloadPath: string }): Promise<void> }
}

export interface GoogleOperation {
  name?: string
  done?: boolean
  error?: { code: number; message: string }
  response?: { generatedVideos?: { video: object }[] }
}

interface GoogleSettings {
  apiKey?: string
  vertexai?: boolean
  project?: string
  location?: string
  googleAuthOptions?: object
  httpOptions: { baseUrl: string; apiVersion: string }
}

/**
 * Opens a client. `google-genai-2` is the last version that generates videos over the Gemini API.
 */
export function openGoogleClient(name: '@google/genai' | 'google-genai-2', settings: GoogleSettings): GoogleClient {
  const { GoogleGenAI } = createRequire(folder)(name) as { GoogleGenAI: new (settings: GoogleSettings) => GoogleClient }
  return new GoogleGenAI(settings)
}

/** Returns client options that sign the tokens of a service account locally. */
export function selfSigningOptions(account: { client_email: string; private_key: string; private_key_id: string }): object {
  const { JWT } = createRequire(folder)('google-auth-library') as { JWT: new (settings: object) => object }
  const authClient = new JWT({
    email: account.client_email,
    key: account.private_key,
    keyId: account.private_key_id,
    scopes: ['https://www.googleapis.com/auth/cloud-platform'],
  })
  return { authClient: Object.assign(authClient, { useJWTAccessWithScope: true }) }
}
