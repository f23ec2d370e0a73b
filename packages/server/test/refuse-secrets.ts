import { readFileSync } from 'node:fs'

/** Shorter ones stand in other words too. */
const secretLengthMin = 8
const secretName = /KEY|SECRET|TOKEN|PASSWORD/
const secretField = /"(?:\w+_)?(?:key|secret|token|password)"\s*:\s*"([^"$]+)"/g
/** What the service makes itself: API keys, and what makes a link one. */
const ownSecrets = /fg_live_[\w-]{43}|[?&]signature=[\w-]{20}/

/**
 * Looks through everything that a service writes while tests ask it all that they ask: for whatever its settings and its routing file keep secret,
 * for API keys and for signed links. One found is an error that nobody catches, so that the whole run fails.
 */
export function refuseSecrets(settings: Record<string, string>): (chunk: Buffer) => void {
  const secrets = secretsOf(settings)
  let kept = ''
  return (chunk) => {
    const text = kept + chunk.toString('latin1')
    const found = secrets.find((secret) => text.includes(secret)) ?? ownSecrets.exec(text)?.[0]
    if (found !== undefined) {
      const at = text.indexOf(found)
      throw new Error(`the service has written a secret: ${text.slice(Math.max(0, at - 500), at + 200)}`)
    }
    // One may come in two parts.
    kept = text.slice(-500)
  }
}

function secretsOf(settings: Record<string, string>): string[] {
  const named = Object.entries(settings)
    .filter(([name]) => secretName.test(name))
    .map(([, value]) => value)
  const { DATABASE_URL, FRAMEGATE_CONFIG, OTEL_EXPORTER_OTLP_HEADERS = '' } = settings
  if (DATABASE_URL !== undefined) named.push(new URL(DATABASE_URL).password)
  named.push(OTEL_EXPORTER_OTLP_HEADERS.split('=').at(-1) ?? '')
  if (FRAMEGATE_CONFIG !== undefined) named.push(...inFile(FRAMEGATE_CONFIG))
  return named.filter((secret) => secret.length >= secretLengthMin)
}

/** Of a routing file in JSON, which is YAML. */
function inFile(file: string): string[] {
  try {
    return [...readFileSync(file, 'utf8').matchAll(secretField)].map(([, value = '']) => value)
  } catch {
    return []
  }
}
