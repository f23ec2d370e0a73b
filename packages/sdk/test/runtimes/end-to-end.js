/**
 * Uses the SDK in the same way in every runtime. This file imports nothing and gets the SDK as an argument, so that it can
 * be part of a script, a bundle, a page or a worker.
 */
export async function runEndToEnd({ Framegate, FramegateError, unwrapWebhook }, { baseUrl, apiKey, path, image, delivery }) {
  const framegate = new Framegate({ baseUrl, apiKey })
  const model = await framegate.models.get('imgA-5.0')
  const seen = []
  const retries = []
  const breaks = []
  const progress = []

  const following = firstEvent(framegate)
  const completedBefore = await count(framegate)
  const task = await framegate.tasks.createAndWait(
    {
      model: model.id,
      prompt: 'a quiet lake',
      simulate: { lose_answer: true, seconds: 1, download_breaks_after_bytes: 400_000 },
    },
    { onTask: ({ status }) => seen.push(status), onRetry: ({ error }) => retries.push(error.code) },
  )
  const created = (await count(framegate)) - completedBefore
  const download = await framegate.tasks.download(task, {
    onRetry: ({ error }) => breaks.push(error.code),
    onProgress: ({ receivedBytes }) => progress.push(receivedBytes),
  })
  const bytes = new Uint8Array(await new Response(download.stream()).arrayBuffer())
  const isProgressMonotonic = progress.every((received, index) => index === 0 || received >= progress[index - 1])
  const blob = await (await framegate.tasks.download(task.id)).blob()
  const saved = await download.saveTo(path).then(
    () => 'saved',
    (error) => error.code,
  )

  const file = new Blob([Uint8Array.from(atob(image), (character) => character.charCodeAt(0))], { type: 'image/png' })
  const parts = []
  const asset = await framegate.assets.create(
    { file, name: 'frame' },
    { resumableAboveBytes: 1, onProgress: ({ sentBytes }) => parts.push(sentBytes) },
  )
  const event = await following
  const unwrap = (body) => unwrapWebhook(body, delivery.headers, delivery.secret)
  // A page without TLS cannot verify signatures.
  const webhook = crypto.subtle && [(await unwrap(delivery.body)).type, (await unwrap('{}').catch((error) => error)).code]

  const failure = await framegate.tasks
    .createAndWait({ model: model.id, prompt: 'x', simulate: { outcome: 'content_policy' } })
    .catch((error) => error)
  const refusal = await framegate.tasks.create({ model: model.id, prompt: 'x', seconds: 5 }).catch((error) => error)
  const stuck = await framegate.tasks.create({
    model: model.id,
    prompt: 'x',
    reference_images: [file, asset],
    simulate: { outcome: 'stuck' },
  })
  const inputs = (await framegate.tasks.get(stuck.id)).parameters.reference_images
  const aborted = await framegate.tasks.wait(stuck, { signal: AbortSignal.timeout(200) }).catch((error) => error)
  const statuses = []
  let cancelled
  for await (const { status } of framegate.tasks.stream(stuck)) {
    statuses.push(status)
    cancelled ??= await framegate.tasks.cancel(stuck)
  }

  return {
    lastSeen: seen.at(-1),
    retries,
    created,
    contentType: download.contentType,
    isComplete: bytes.byteLength === download.sizeBytes && blob.size === bytes.byteLength && bytes[1] === 0x50,
    breaks: [...new Set(breaks)],
    isProgressMonotonic,
    saved,
    upload: [asset.name, parts.at(-1) === file.size, inputs.every((input) => input === `asset:${asset.id}`)],
    streamed: statuses.at(-1),
    event: [event.type, event.data.id === task.id],
    webhook,
    failure: [failure instanceof FramegateError, failure.code, failure.task?.status],
    refusal: [refusal.status, refusal.code, refusal.param, typeof refusal.requestId],
    aborted: aborted.name,
    cancelled: cancelled.error_code,
  }
}

/** The first event of the account from now on. */
async function firstEvent(framegate) {
  for await (const event of framegate.events.stream()) return event
  return null
}

async function count(framegate) {
  let tasks = 0
  for await (const { status } of await framegate.tasks.list({ limit: 2, status: 'completed' }))
    if (status === 'completed') tasks++
  return tasks
}
