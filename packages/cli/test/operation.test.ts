import { hash } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { plainPng } from '../../server/test/plain-png.ts'
import { hasTerminal, runOnTerminal } from './terminal.ts'
import { startService, type StartedService } from './started-service.ts'

let service: StartedService
beforeAll(async () => {
  service = await startService()
})
afterAll(async () => service.close())

// `any` because a test reads the expected fields and fails if they are missing.
// oxlint-disable-next-line typescript/no-explicit-any
async function runJson(...args: string[]): Promise<any> {
  const { exitCode, stdout, stderr } = await service.run([...args, '--json'])
  expect([exitCode, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

it('the CLI opens an account for a client, with credits, a key and a first quote', async () => {
  const { id } = await runJson('accounts', 'create', 'Studio North')
  expect(await runJson('accounts', 'create', 'Studio North')).toMatchObject({ id, balance: 0 })
  const grant = ['credits', 'grant', '--account', id, '2.5', '--idempotency-key', 'invoice 17']
  expect(await runJson(...grant)).toEqual({ balance: 2.5, held: 0 })
  expect(await runJson(...grant)).toEqual({ balance: 2.5, held: 0 })
  const { id: keyId, key } = await runJson('keys', 'create', '--account', id, '--name', 'website', '--spent-per-day', '1')
  const clientEnv = { FRAMEGATE_API_KEY: key }
  const quoteRun = await service.run(['quote', 'a boat on a lake', '--model', 'imgA-5.0', '--json'], clientEnv)
  expect(JSON.parse(quoteRun.stdout)).toMatchObject({ available: true })
  expect(await runJson('credits', 'balance', '--account', id)).toEqual({ balance: 2.5, held: 0 })
  const adjusted = await service.run(['credits', 'adjust', '--account', id, '--note', 'a gift too many', '--', '-2'])
  expect([adjusted.exitCode, adjusted.stdout]).toEqual([0, '0.5 credits, and 0 held\n'])

  expect(
    await runJson('keys', 'update', keyId, '--requests-per-second', '20', '--tokens-per-minute', '9000', '--models', 'imgA-5.0'),
  ).toMatchObject({
    requests_per_second_max: 20,
    tokens_per_minute_max: 9_000,
    models: ['imgA-5.0'],
    spent_per_day_max: 1,
  })
  const limits = '20 requests per second, 9000 tokens per minute, 1 credits per day'
  expect((await service.run(['keys', 'get', keyId])).stdout).toMatch(new RegExp(`^limits +${limits}$`, 'm'))
  expect((await service.run(['keys', 'list', '--account', id])).stdout).toContain(` ${limits}, models imgA-5.0  website\n`)
  const rotated = await service.run(['keys', 'rotate', keyId, '--overlap', '0'])
  expect(rotated.stdout).toMatch(/^fg_live_\S+\n$/)
  expect(rotated.stderr).toContain('not shown again')
  expect((await service.run(['tasks', 'list'], clientEnv)).stderr).toContain('invalid_api_key')
  expect((await service.run(['keys', 'revoke', keyId])).stdout).toMatch(/^state +revoked$/m)
  expect((await service.run(['keys', 'list', '--account', id])).stdout).toMatch(/^key_\w+ +revoked/m)
})

it('the CLI creates a brand with a host, its own model settings and an account', async () => {
  const brand = await runJson('brands', 'create', 'Northern Lights', '--host', 'a.example.com', '--host', 'b.example.com')
  expect(brand).toMatchObject({ hosts: ['a.example.com', 'b.example.com'], is_default: false })
  expect(await runJson('brands', 'create', 'Northern Lights')).toEqual(brand)
  const set = ['models', 'set', 'imgA_5.0Pro', '--brand', brand.id]
  const granted = await service.run([...set, '--visibility', 'invocable', '--title', 'Aurora'])
  expect(granted.stdout).toMatch(/^shown +invocable, set by the brand\ntitle +Aurora, set by the brand$/m)
  await runJson('prices', 'set', 'imgA_5.0Pro', '--brand', brand.id, '--unit', 'task', '--credits', '0.5')
  expect(await runJson('models', 'show', 'imgA_5.0Pro', '--brand', brand.id)).toMatchObject({
    visibility: 'invocable',
    title: 'Aurora',
    price: { unit: 'task' },
    price_from: 'brand',
  })
  const models = (await service.run(['models', 'list', '--brand', brand.id])).stdout
  expect(models).toMatch(/^imgA_5\.0Pro +invocable +visibility, title +per task 0\.5 \(\*\) +Aurora$/m)
  expect(models).toMatch(/^vidDq3-turbo +invocable +nothing +per second/m)
  await runJson('models', 'set', 'vidDq3-turbo', '--brand', brand.id, '--visibility', 'hidden')
  expect((await runJson('models', 'list', '--brand', brand.id)).items).toContainEqual(
    expect.objectContaining({ model: 'vidDq3-turbo', visibility: 'hidden' }),
  )
  expect(await runJson('models', 'reset', 'vidDq3-turbo', '--brand', brand.id)).toMatchObject({ visibility: 'invocable' })
  expect(await runJson(...set, '--visibility', 'catalogue', '--title', 'none')).toMatchObject({
    visibility: 'visible',
    own_visibility: null,
    own_title: null,
  })
  expect((await service.run(set)).exitCode).toBe(2)
  expect((await service.run(['models', 'reset', 'none', '--brand', brand.id])).exitCode).toBe(2)
  expect(await runJson('brands', 'update', brand.id, '--host', 'c.example.com')).toMatchObject({ hosts: ['c.example.com'] })
  expect(await runJson('accounts', 'create', 'A client', '--brand', brand.id)).toMatchObject({ brand: brand.id })
  expect((await service.run(['brands', 'list'])).stdout).toMatch(/^brand_\w+ +no +c\.example\.com +Northern Lights$/m)
  const conflictRun = await service.run(['brands', 'create', 'Another', '--host', 'c.example.com'])
  expect([conflictRun.exitCode, conflictRun.stderr]).toEqual([2, expect.stringContaining('c.example.com')])
})

it('the CLI sets and removes the color and the logo of a brand', async () => {
  const file = plainPng(64, 64)
  writeFileSync(path.join(service.cwd, 'logo.png'), file)
  const logo = `sha256:${hash('sha256', file)}`
  const brand = await runJson('brands', 'create', 'Southern Cross', '--color', '#1A7F64', '--logo', 'logo.png')
  expect(brand).toMatchObject({ color: '#1a7f64', logo })
  const brandText = await service.run(['brands', 'get', brand.id])
  expect(brandText.stdout).toMatch(new RegExp(`^color +#1a7f64\nlogo +${logo}$`, 'm'))
  expect(await runJson('brands', 'update', brand.id, '--color', 'none')).toMatchObject({ color: null, logo })
  expect(await runJson('brands', 'update', brand.id, '--logo', 'none')).toMatchObject({ logo: null })
  const missingLogo = await service.run(['brands', 'update', brand.id, '--logo', 'no.png'])
  expect([missingLogo.exitCode, missingLogo.stderr]).toEqual([2, expect.stringContaining('no.png does not exist.')])
  writeFileSync(path.join(service.cwd, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  const drawing = await service.run(['brands', 'update', brand.id, '--logo', 'logo.svg'])
  expect([drawing.exitCode, drawing.stderr]).toEqual([2, expect.stringContaining('an SVG image')])
  const color = await service.run(['brands', 'update', brand.id, '--color', 'green'])
  expect([color.exitCode, color.stderr]).toEqual([2, expect.stringContaining('must be a color of the form #rrggbb')])
})

it('framegate brands update sets the prompt retention of a brand in days', async () => {
  const { id } = await runJson('brands', 'create', 'Southern Cross')
  const update = ['brands', 'update', id, '--prompt-retention-days']
  expect((await service.run([...update, '30'])).stdout).toMatch(/^prompts kept +30 days$/m)
  expect(await runJson(...update, 'none')).toMatchObject({ prompt_retention_days: null })
  expect((await service.run([...update, '0'])).exitCode).toBe(2)
})

const generate = (file: string) => ['generate', 'x', '--model', 'imgA-5.0', '-o', file, '--json']

it('the CLI deletes the tasks of an account, and erases the account once it is closed', async () => {
  const { id } = await runJson('accounts', 'create', 'A parting client')
  await runJson('credits', 'grant', '--account', id, '5')
  const { key } = await runJson('keys', 'create', '--account', id, '--name', 'their website')
  const clientEnv = { FRAMEGATE_API_KEY: key }
  for (const file of ['boat-1.png', 'boat-2.png']) expect((await service.run(generate(file), clientEnv)).exitCode).toBe(0)
  const [newest] = JSON.parse((await service.run(['tasks', 'list', '--limit', '1', '--json'], clientEnv)).stdout).items
  expect((await service.run(['tasks', 'delete', newest.id])).exitCode).toBe(2)
  expect((await service.run(['tasks', 'delete', newest.id, '--any-account'])).stdout).toBe(`${newest.id} deleted\n`)
  const deleted = await service.run(['tasks', 'delete', '--account', id, '--until', '2100-01-01'])
  expect([deleted.exitCode, deleted.stdout]).toEqual([0, '1 task deleted\n'])
  expect((await service.run(generate('boat-3.png'), clientEnv)).exitCode).toBe(0)

  const refused = await service.run(['accounts', 'erase', id])
  expect([refused.exitCode, refused.stdout, refused.stderr]).toEqual([1, '', expect.stringContaining('close it first')])
  await runJson('accounts', 'close', id)
  const { stdout } = await service.run(['accounts', 'erase', id])
  expect(stdout).toMatch(/^tasks +1\nresults +1\nassets +0\nkey names +1$/m)
  expect(await runJson('accounts', 'erase', id)).toMatchObject({ object: 'erasure', account: id, status: 'completed', tasks: 1 })
  expect(await runJson('accounts', 'get', id)).toMatchObject({ name: 'erased', status: 'closed' })
})

it('framegate prices simulate shows what tasks would have been charged under another price', async () => {
  const simulate = ['prices', 'simulate', 'vidDq3-turbo', 'imgA-5.0', '--unit', 'task', '--credits', '0.5']
  expect(await runJson(...simulate, '--from', '2026-01-01', '--to', '2026-01-31')).toMatchObject({
    complete: true,
    items: [{ model: 'vidDq3-turbo' }, { model: 'imgA-5.0' }],
    total: { tasks: 0, difference: 0 },
  })
  const { stdout } = await service.run(simulate)
  expect(stdout).toMatch(/^MODEL ID +TASKS +CHARGED +SIMULATED +DIFFERENCE\nvidDq3-turbo .*\nimgA-5\.0 .*\nTOTAL /)
  const wrong = await service.run([...simulate, '--from', 'soon'])
  expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining('a day such as 2026-01-15')])
})

it('framegate overview reports a server that is not ready', async () => {
  const brokenService = await startService()
  try {
    const media = path.join(brokenService.dataDir, 'media')
    rmSync(media, { recursive: true })
    writeFileSync(media, '')
    await expect
      .poll(async () => (await brokenService.run(['overview'])).stdout, { timeout: 10_000 })
      .toMatch(/^PROBLEM .*\nthe server is not ready +The media store is not writable \(ENOTDIR\) +framegate doctor$/m)
  } finally {
    await brokenService.close()
  }
})

it('a rejected request shows all of its violations', async () => {
  const { exitCode, stderr } = await service.run([
    'generate',
    'x',
    '--model',
    'imgA-5.0',
    '--resolution',
    '9K',
    '--param',
    'shine=1',
  ])
  expect([exitCode, stderr]).toEqual([
    2,
    'Error (invalid_parameter): resolution must be 1K or 2K; got "9K"\n  unknown parameter \'shine\'; imgA-5.0 takes prompt, negative_prompt, reference_images, aspect_ratio, resolution, seed and watermark\n',
  ])
})

it('framegate overview shows the queue, and framegate audit the changes of operators', async () => {
  expect(await runJson('overview')).toMatchObject({ object: 'overview', webhooks: { failing: 0 } })
  expect((await service.run(['overview'])).stdout).toMatch(
    /^Nothing needs your attention\.\n\nqueued +\d+\n(oldest queued .*\n)?processing +\d+$/m,
  )
  const { id } = await runJson('accounts', 'create', 'An audited account')
  expect((await runJson('audit', '--limit', '1')).items).toMatchObject([{ action: 'account.create', target: id }])
  expect((await service.run(['audit', '--limit', '1'])).stdout).toMatch(
    /^TIME +ACTION +OBJECT +NAME +KEY\n\S+ +account\.create +acct_\w+ +An audited account +\S/,
  )
})

it('framegate prices sets, shows, lists and removes prices', async () => {
  const { id } = await runJson('accounts', 'create', 'A buyer')
  const model = 'vidDq3-turbo'
  const set = ['prices', 'set', model, '--account', id, '--unit', 'second', '--credits', '540p=0.03', '--credits', '0.05']
  expect(await runJson(...set, '--dry-run')).toMatchObject({ changed: true, after: { id: null } })
  expect(await runJson(...set, '--minimum-credits', '0.2')).toMatchObject({
    changed: true,
    before: null,
    after: { model, account: id, state: 'current', price: { credits: { '540p': 0.03, '*': 0.05 }, minimum_credits: 0.2 } },
  })
  const secondRun = await service.run([...set, '--minimum-credits', '0.2'])
  expect([secondRun.exitCode, secondRun.stdout]).toEqual([
    0,
    expect.stringMatching(/^changed +no, the same price already applies$/m),
  ])
  const later = await service.run([...set, '--effective', '2100-01-01', '--round-to', '0.01', '--round', 'up'])
  expect(later.stdout).toMatch(/^after +per second 0\.03 \(540p\), 0\.05 \(\*\), rounded up to 0\.01, for acct_\w+ \(A buyer\)$/m)
  expect(later.stdout).toMatch(/^begins +2100-01-01T00:00:00Z$/m)

  const files = ['--input-second-credits', '720p=0.02', '--input-second-credits', '0.01', '--video-factor', '0.6']
  const images = ['--input-image-credits', '0.04', '--input-images-free', '5', '--minimum-task-credits', '0.3']
  const counting = await service.run([...set, ...files, ...images, '--dry-run'])
  expect(counting.stdout).toMatch(
    /^after +per second 0\.03 \(540p\), 0\.05 \(\*\), 0\.02 \(720p\), 0\.01 \(\*\) per second of input video, times 0\.6 with an input video, 0\.04 per input image after the first 5, at least 0\.3 per task/m,
  )

  const priceText = await service.run(['prices', 'show', model, '--account', id])
  expect(priceText.stdout).toMatch(/^price of +the account\nfrom 2100-01-01T00:00:00Z +per second/m)
  expect(await runJson('prices', 'show', model)).toMatchObject({ from: 'catalogue', later: [] })
  const listed = (await service.run(['prices', 'list', '--account', id])).stdout.split('\n')
  expect(listed[0]).toMatch(/^MODEL ID +STATE +BEGINS +FOR +CREDITS$/)
  expect(listed[1]).toMatch(/^vidDq3-turbo +later +2100-01-01T00:00:00Z +acct_\w+ \(A buyer\) +per second 0\.03 \(540p\)/)

  const remove = ['prices', 'remove', model, '--account', id]
  expect(await runJson(...remove)).toMatchObject({ changed: true, after: { price: null } })
  expect(await runJson(...remove)).toMatchObject({ changed: false })
  expect((await runJson('prices', 'list', '--account', id, '--state', 'replaced')).items).toHaveLength(1)
  expect((await runJson('prices', 'list', '--account', id)).items).toMatchObject([{ state: 'later' }])
  expect((await runJson('prices', 'list', '--account', id, '--all')).items).toHaveLength(3)
  for (const commandLine of [
    ['set', model, '--unit', 'second', '--credits', 'cheap'],
    ['set', model, '--unit', 'second', '--credits', '1', '--credits', '2'],
    ['set', model, '--unit', 'second', '--credits', '1', '--round', 'up'],
    ['set', model, '--unit', 'image', '--credits', '1'],
    ['set', model, '--credits', '1'],
    ['remove', model, '--account', id, '--brand', 'brand_default'],
    ['show', 'vidD Q3 Turbo'],
  ]) {
    expect(await service.run(['prices', ...commandLine])).toMatchObject({ exitCode: 2, stdout: '' })
  }
})

it('an error of the CLI names a command instead of a path, and a base URL with a version is recognized', async () => {
  const unknownModel = await service.run(['prices', 'show', 'nope'])
  expect(unknownModel.stderr).toContain('framegate models list lists every Model ID')
  const wrongUrl = await service.run(['credits', 'balance'], { FRAMEGATE_URL: `${service.baseUrl}/v1` })
  expect(wrongUrl.stderr).toContain('Check the base URL (--url or FRAMEGATE_URL). It must not contain a version')
})

it('framegate accounts limits, suspends and closes an account', async () => {
  const { id } = await runJson('accounts', 'create', 'Studio South')
  const limited = await service.run([
    'accounts',
    'update',
    id,
    '--tasks-in-flight',
    '20',
    '--requests-per-minute',
    '60',
    '--over-limit',
    'wait',
  ])
  expect(limited.stdout).toMatch(/^tasks in flight +at most 20$/m)
  expect(limited.stdout).toMatch(/^requests \(models priced by tokens\) +at most 60 per minute$/m)
  expect(await runJson('accounts', 'update', id, '--tasks-in-flight', 'none')).toMatchObject({
    tasks_in_flight_max: null,
    requests_per_minute_max: 60,
    over_limit: 'wait',
  })
  for (const [verb, status] of [
    ['suspend', 'suspended'],
    ['resume', 'active'],
    ['close', 'closed'],
  ]) {
    expect(await runJson('accounts', verb ?? '', id)).toMatchObject({ status })
  }
  expect((await runJson('accounts', 'list')).items.map(({ id: listed }: { id: string }) => listed)).toContain(id)
  expect((await service.run(['accounts', 'list'])).stdout).toMatch(/^ID +STATUS +BALANCE +HELD +BRAND +BRAND NAME +NAME$/m)
})

it.skipIf(!hasTerminal)('framegate accounts close asks for confirmation on a terminal, unless --yes is given', async () => {
  const { id } = await runJson('accounts', 'create', 'Studio West')
  const env = { FRAMEGATE_URL: service.baseUrl, FRAMEGATE_API_KEY: service.apiKey }
  const declined = await runOnTerminal(['accounts', 'close', id], { cwd: service.cwd, env, input: 'n\n' })
  expect([declined.exitCode, declined.stdout]).toEqual([
    1,
    expect.stringMatching(
      new RegExp(`Close the account ${id} \\(Studio West\\) permanently\\? \\[y/N\\] [^]*Nothing was changed\\.`),
    ),
  ])
  expect(await runJson('accounts', 'get', id)).toMatchObject({ status: 'active' })
  expect((await runOnTerminal(['accounts', 'close', id, '--yes'], { cwd: service.cwd, env })).exitCode).toBe(0)
  const declinedErasure = await runOnTerminal(['accounts', 'erase', id], { cwd: service.cwd, env, input: 'n\n' })
  expect(declinedErasure.stdout).toContain('Erase all content of the account')
  expect(await runJson('accounts', 'get', id)).toMatchObject({ name: 'Studio West', status: 'closed' })
})

it('operator commands exit with 2 for unknown IDs and invalid values', async () => {
  expect(await service.run(['accounts', 'get', 'acct_0'])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(
      'There is no account with the id acct_0. framegate accounts list shows the ids of all accounts.',
    ),
  })
  expect(await service.run(['accounts', 'update', 'acct_0'])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('Nothing to change'),
  })
  for (const commandLine of [
    ['credits', 'grant', '--account', 'acct_0', '-5'],
    ['credits', 'grant', '--account', 'acct_0', 'many'],
    ['credits', 'grant', '5'],
    ['keys', 'update', 'key_0', '--tasks-in-flight', '1.5'],
    ['keys', 'create', '--account', 'x', '--expires', 'soon'],
  ]) {
    expect(await service.run(commandLine)).toMatchObject({ exitCode: 2, stdout: '' })
  }
})

it('framegate attempts resolve removes a submit without a response from the list of unresolved attempts', async () => {
  const task = await service.client.tasks.create({ model: 'imgA-5.0', prompt: 'a boat', simulate: { outcome: 'content_policy' } })
  await service.run(['tasks', 'wait', task.id])
  // The service may be writing for a moment.
  const database = new DatabaseSync(path.join(service.dataDir, 'framegate.db'), { timeout: 10_000 })
  database.exec("update task_attempts set unresolved = 'lost_reply', cost = 0.4, cost_unit = 'USD'")
  database.close()
  const id = `${task.id}_1`
  const listed = (await service.run(['attempts', 'unresolved'])).stdout
  expect(listed).toMatch(new RegExp(`^${id} +lost_reply +embedded +\\S+Z +0\\.4 USD +Default +imgA-5\\.0$`, 'm'))
  expect((await service.run(['overview'])).stdout).toMatch(
    /^PROBLEM .*\n\d+ jobs? (?:has|have) an unknown outcome +framegate attempts unresolved$/m,
  )
  expect((await service.run(['attempts', 'resolve', id])).exitCode).toBe(2)
  const resolved = await service.run(['attempts', 'resolve', id, '--as', 'refunded_upstream', '--note', 'ticket 4711'])
  expect(resolved.stdout).toMatch(/^resolved +refunded_upstream, \S+Z\nnote +ticket 4711$/m)
  expect(await runJson('attempts', 'show', id)).toMatchObject({ resolution: 'refunded_upstream', note: 'ticket 4711' })
  expect((await runJson('attempts', 'unresolved')).items.map((attempt: { id: string }) => attempt.id)).not.toContain(id)
  const secondRun = await service.run(['attempts', 'resolve', id, '--as', 'accepted_loss'])
  expect([secondRun.exitCode, secondRun.stderr]).toEqual([1, expect.stringContaining('already resolved as refunded_upstream')])
})

it('the CLI sets, lists, tests and removes an upstream and a route', async () => {
  const upstream = ['upstreams', 'set', 'studio', '--driver', 'openai', '--upstream-url', 'http://127.0.0.1:9/v1']
  const upstreamRun = await service.run([...upstream, '--api-key-from-env', 'STUDIO_KEY', '--in-flight', '7'], {
    STUDIO_KEY: 'sk-secret-4711',
  })
  expect([upstreamRun.exitCode, upstreamRun.stderr]).toEqual([0, ''])
  expect(upstreamRun.stdout).toMatch(/^key +yes, not shown\nin flight +at most 7$/m)
  expect(await runJson(...upstream)).toMatchObject({ has_api_key: true, in_flight_max: 1000 })
  expect((await service.run([...upstream, '--api-key-from-env', 'NOTHING'])).stderr).toContain('NOTHING is not set')
  expect((await service.run([...upstream, '--api-key-from-stdin'])).stderr).toContain('No key was given on stdin')

  const route = ['routes', 'set', 'kite', '--model', 'vidG_video3', '--upstream', 'studio', '--upstream-model', 'sora-2']
  expect(await runJson(...route, '--weight', '2.5', '--cost', 'per_second=0.1', '--extra', '{"quality":"high"}')).toMatchObject({
    weight: 2.5,
    cost: { per_second: 0.1 },
    extra: { quality: 'high' },
  })
  expect((await service.run(['routes', 'list'])).stdout).toMatch(
    /^kite +vidG_video3 +studio: sora-2 +0 +2\.5 +0 +0\.1 per second +ok +the API$/m,
  )
  expect((await service.run(['upstreams', 'list'])).stdout).toMatch(/^studio +openai +yes +0 of 1000 +ok +the API$/m)
  const explanation = await service.run(['routes', 'explain', 'vidG_video3', '--param', 'seconds=8', '--param', 'prompt=a kite'])
  expect(explanation).toMatchObject({ exitCode: 0, stderr: '' })
  expect(explanation.stdout.split('\n')).toEqual([
    expect.stringMatching(/^ROUTE +UPSTREAM +PRIORITY +CAN SERVE +FREE +STATE +NEXT$/),
    expect.stringMatching(/^kite +studio +0 +yes +256 +ok +\*$/),
    '',
    'The next task takes the route kite.',
    '',
    'For clients, these parameters differ from the definition of the model:',
    '  reference_images: Not available.',
    '  seed: Not available.',
    '',
  ])
  const modelText = await service.run(['models', 'show', 'vidG_video3'])
  expect(modelText.stdout).toContain(
    'Differences from the definition of the model on this server:\n  reference_images: Not available.\n  seed: Not available.',
  )
  const seeded = ['routes', 'explain', 'vidG_video3', '--param', 'seed=7']
  expect((await service.run(seeded)).stdout).toMatch(
    /^kite +studio +0 +no: .*seed.* 256 +ok$[^]*^A submit is rejected with 400\. /m,
  )
  expect(await runJson(...seeded)).toMatchObject({ object: 'route_explanation', outcome: 'refused', parameters: { seed: 7 } })
  const invalidRun = await service.run(['routes', 'explain', 'vidG_video3', '--param', 'seconds=eight'])
  expect([invalidRun.exitCode, invalidRun.stderr]).toEqual([2, expect.stringContaining('seconds')])
  const tested = await service.run(['routes', 'test', 'vidG_video3'])
  expect([tested.exitCode, tested.stdout]).toEqual([
    1,
    expect.stringMatching(/^kite +vidG_video3 +studio +failed: No connection could be made/m),
  ])
  expect((await service.run(['routes', 'test', 'vidG_video3', '--json'])).stdout).toContain('"failed":1')
  expect((await service.run([...route, '--extra', '{'])).exitCode).toBe(2)
  expect((await service.run([...route, '--slot', 'prompt'])).stderr).toContain('such as seed=options.seed')

  const neededRun = await service.run(['upstreams', 'remove', 'studio'])
  expect([neededRun.exitCode, neededRun.stderr]).toEqual([
    1,
    expect.stringContaining('the route kite depends on it. Remove the route first'),
  ])
  expect(await runJson('routes', 'remove', 'kite')).toMatchObject({ name: 'kite' })
  expect(await service.run(['upstreams', 'remove', 'studio'])).toMatchObject({ exitCode: 0, stdout: 'studio removed\n' })
  expect((await service.run(['routes', 'remove', 'kite'])).exitCode).toBe(2)
  expect((await service.run(['routes', 'test'])).exitCode).toBe(0)
})

it('framegate log says that the service has logged nothing, and rejects an invalid task ID', async () => {
  expect(await service.run(['log', '--json'])).toMatchObject({ exitCode: 0, stdout: '', stderr: '' })
  const empty = await service.run(['log'])
  expect(empty).toMatchObject({ exitCode: 0, stdout: '', stderr: expect.stringContaining('There are no log lines yet.') })
  const ofTask = await service.run(['log', '--task', `task_${'0'.repeat(12)}70008${'0'.repeat(15)}`])
  expect(ofTask).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('There are no log lines about this task.') })
  const refused = await service.run(['log', '--task', 'task_1'])
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('task must be the id of a task')])
})
