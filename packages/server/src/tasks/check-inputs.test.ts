import { expect, it, vi } from 'vitest'
import { checkInputs, type InputInspector } from './check-inputs.ts'

it('a file that takes too long to download is rejected with the name of its field', async () => {
  using _ = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort(new DOMException('', 'TimeoutError')))
  const inspector: InputInspector = {
    factsOfAsset: async () => undefined,
    factsOfSource: (_accountNo, _source, _fieldName, signal) => Promise.reject(signal.reason as Error),
  }
  const parameters = { prompt: 'x', reference_videos: ['https://example.com/a.mp4'] }
  await expect(checkInputs(inspector, {}, { accountNo: 1, parameters })).rejects.toMatchObject({
    code: 'reference_unreachable',
    message: expect.stringMatching(/^reference_videos\[0\]: the file did not arrive within 90 seconds/),
    errors: [{ pointer: '/reference_videos/0' }],
  })
})
