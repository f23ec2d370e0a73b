import { readFileSync } from 'node:fs'

/** Minimum length of a secret to search for. A shorter one may be part of other words. */
const secretLengthMin = 8
const secretName = /KEY|SECRET|TOKEN|PASSWORD/
const secretField = /"(?:\w+_)?(?:key|secret|token|password)"\s*:\s*"([^"$]+)"/g
/** Matches secrets that the service creates: API keys and signatures of links. */
const ownSecrets = /fg_live_[\w-]{43}|[?&]signature=[\w-]{20}/

/**
 * Returns a function that searches a service's output for secrets from its settings and routing
 * file, API keys and signed links. If it finds one, it throws an uncaught error, so that the whole
 * test run fails.
 */
export function refuseSecrets(settings: Record<string, string>): (chunk: Buffer) => void {
  const secrets = secretsOf(settings)
  let unfinishedText = ''
  return (chunk) => {
    const text = unfinishedText + chunk.toString('latin1')
    const secret = secrets.find((secret) => text.includes(secret)) ?? ownSecrets.exec(text)?.[0]
    if (secret !== undefined) {
      const offset = text.indexOf(secret)
      throw new Error(`the service has written a secret: ${text.slice(Math.max(0, offset - 500), offset + 200)}`)
    }
    // Searches the end of the text again with the next chunk, because a secret may be split between
    // two chunks.
    unfinishedText = text.slice(-500)
  }
}

function secretsOf(settings: Record<string, string>): string[] {
  const namedSecrets = Object.entries(settings)
    .filter(([name]) => secretName.test(name))
    .map(([, value]) => value)
  const { DATABASE_URL, FRAMEGATE_CONFIG, OTEL_EXPORTER_OTLP_HEADERS = '' } = settings
  if (DATABASE_URL !== undefined) namedSecrets.push(new URL(DATABASE_URL).password)
  namedSecrets.push(OTEL_EXPORTER_OTLP_HEADERS.split('=').at(-1) ?? '')
  if (FRAMEGATE_CONFIG !== undefined) namedSecrets.push(...secretsInFile(FRAMEGATE_CONFIG))
  return namedSecrets.filter((secret) => secret.length >= secretLengthMin)
}

/** Returns the secrets of a routing file in JSON, which is valid YAML. */
function secretsInFile(file: string): string[] {
  try {
    return [...readFileSync(file, 'utf8').matchAll(secretField)].map(([, value = '']) => value)
  } catch {
    return []
  }
}
