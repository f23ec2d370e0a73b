import { describe } from 'vitest'
import { isLongRun } from '../../src/db/store-under-test.ts'
import { testEngine } from '../test-engine.ts'
import { openEmptyStore } from './emptied-databases.ts'
import { hasPostgres } from './test-database.ts'

/**
 * Tests that run on PostgreSQL in long runs only, because they take long and other tests on
 * PostgreSQL execute the same SQL statements. The pages of the console send the requests of the
 * HTTP tests.
 */
const longRunFiles = {
  polling: () => import('../http-polling.test.ts'),
  'media inputs': () => import('../http-media-inputs.test.ts'),
  'repeated calls of MCP': () => import('../mcp/repeated-calls.test.ts'),
  'a newcomer in the console': () => import('../console/newcomer.test.ts'),
  'an integrator in the console': () => import('../console/integrator.test.ts'),
  'an operator in the console': () => import('../console/operator.test.ts'),
}

/** HTTP tests that also run on PostgreSQL. */
const files = {
  credits: () => import('../http-credits.test.ts'),
  idempotency: () => import('../http-idempotency.test.ts'),
  attempts: () => import('../http-attempts.test.ts'),
  'parameters of a task': () => import('../http-task-parameters.test.ts'),
  'requests of operators': () => import('../http-admin.test.ts'),
  brands: () => import('../http-brands.test.ts'),
  'look of a brand': () => import('../http-brand-appearance.test.ts'),
  deletion: () => import('../http-deletion.test.ts'),
  models: () => import('../http-models.test.ts'),
  'media assets': () => import('../http-media-assets.test.ts'),
  text: () => import('../http-text.test.ts'),
  'videos and images of the OpenAI-compatible API': () => import('../openai/http-openai-client.test.ts'),
  chats: () => import('../chat/http-chat-client.test.ts'),
  'changed videos': () => import('../openai/http-changed-videos.test.ts'),
  'repeated submits': () => import('../openai/http-repeated-submits.test.ts'),
  webhooks: () => import('../http-webhooks.test.ts'),
  'deliveries to webhooks': () => import('../webhook-deliveries.test.ts'),
  streams: () => import('../http-streams.test.ts'),
  uploads: () => import('../http-uploads.test.ts'),
  'sessions of the console': () => import('../console/sessions.test.ts'),
  timeline: () => import('../http-timeline.test.ts'),
  overview: () => import('../http-overview.test.ts'),
  'simulated prices': () => import('../http-price-simulation.test.ts'),
  usage: () => import('../http-usage.test.ts'),
  'usage of all accounts': () => import('../http-usage-of-all.test.ts'),
  ...(isLongRun && longRunFiles),
}

describe.runIf(hasPostgres)('HTTP on PostgreSQL', () => {
  testEngine.name = 'PostgreSQL'
  testEngine.open = async (_dataDir, clock) => openEmptyStore(clock)
  // Each file gets its own suite, because its hooks open a service for its own tests only.
  for (const [name, load] of Object.entries(files)) describe(name, async () => void (await load()))
})
