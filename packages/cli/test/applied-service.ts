import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect } from 'vitest'
import { startFramegate, type Outcome } from './run-framegate.ts'
import { startService, type StartedService } from './started-service.ts'

/** A file that declares an object of each kind. */
export const example = `
port: 9000
brands:
  - name: Northern Lights
    hosts: [Video.Example.com., bücher.example]
    result_origin: https://Media.example.com/
    tasks_in_flight_max: 200
    models:
      - { model: imgA_5.0Pro, visibility: invocable, title: Aurora }
    prices:
      - { model: imgA_5.0Pro, price: { unit: task, credits: { '*': 0.5 } } }
accounts:
  - name: Studio North
    brand: Northern Lights
    credits_in_flight_max: 12.5
    over_limit: wait
    grants:
      - { reference: invoice-2026-017, amount: 250, note: thank you, expires_at: 2100-01-01 }
    keys:
      - { name: website, scopes: [tasks:read, tasks:write], spent_per_day_max: 50, expires_at: 2100-01-01T12:00Z }
    prices:
      - { model: vidDq3-turbo, price: { unit: second, credits: { 540p: 0.03, '*': 0.05 } } }
      - { model: vidDq3-turbo, price: null, effective_at: 2100-01-01 }
prices:
  - { model: imgA-5.0, price: { unit: image, credits: { '*': 0.03 }, rounding: { to: 0.01, direction: up } } }
`

const waitNotice = /^.*may send at most \d+ requests per second.*sent again in \d+ s\.\n/gm

/**
 * Gives each test of a file a service without changes by an operator, and functions that run commands
 * on it. A test that has changed nothing leaves its service to the next one.
 */
export function useAppliedService() {
  let service: StartedService
  let isOpen = false
  beforeEach(async () => {
    if (!isOpen) service = await startService()
    isOpen = true
  })
  afterEach(async () => {
    if ((await auditLength()) > 0) await close()
  })
  afterAll(close)

  async function close(): Promise<void> {
    if (isOpen) await service.close()
    isOpen = false
  }

  async function auditLength(): Promise<number> {
    const request = { method: 'GET', path: '/admin/v1/audit', query: { limit: 100 } } as const
    return (await service.client.request<{ items: unknown[] }>(request)).items.length
  }

  function write(text: string): string {
    const file = join(service.cwd, 'framegate.yaml')
    writeFileSync(file, text)
    return file
  }

  /**
   * Runs a command. On a fast machine, the commands of a test may reach the operator's rate limit and
   * wait.
   */
  async function run(args: string[]): Promise<Outcome> {
    const outcome = await service.run(args)
    return { ...outcome, stderr: outcome.stderr.replaceAll(waitNotice, '') }
  }

  const apply = (...options: string[]): Promise<Outcome> => run(['apply', '-f', 'framegate.yaml', ...options])

  // `any` because a test reads the expected fields and fails if they are missing.
  // oxlint-disable-next-line typescript/no-explicit-any
  async function runJson(...args: string[]): Promise<any> {
    const { exitCode, stdout, stderr } = await run([...args, '--json'])
    expect([exitCode, stderr]).toEqual([0, ''])
    return JSON.parse(stdout)
  }

  async function expectNothingToChange(): Promise<void> {
    expect(await apply('--yes')).toEqual({ exitCode: 0, stdout: 'Nothing to change.\n', stderr: '' })
    expect(await apply('--dry-run')).toEqual({ exitCode: 0, stdout: 'Nothing to change.\n', stderr: '' })
  }

  /** Starts a command in a process of its own. `baseUrl` may be the address of a proxy. */
  function start(args: string[], baseUrl = service.baseUrl): ReturnType<typeof startFramegate> {
    return startFramegate(args, {
      cwd: service.cwd,
      env: { FRAMEGATE_URL: baseUrl, FRAMEGATE_API_KEY: service.apiKey },
    })
  }

  const hostsByBrand = async () =>
    (await runJson('brands', 'list')).items.map(({ name, hosts }: Record<string, unknown>) => [name, hosts])

  return {
    get service() {
      return service
    },
    auditLength,
    write,
    run,
    apply,
    runJson,
    start,
    expectNothingToChange,
    hostsByBrand,
  }
}
