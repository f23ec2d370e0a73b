import type { GenerationRequest, Json } from '../driver.ts'
import { mediaUrl, mediaUrlOrData, urlOrDataUri, type UpstreamFiles } from './upstream-files.ts'

/**
 * Returns the prompt and the files as one list with a role for each file, a format that several
 * upstreams share. Videos are always sent as URLs. Images and audio files without a URL are sent as
 * data URIs.
 */
export async function contentList(
  {
    prompt,
    first_frame,
    last_frame,
    reference_images = [],
    reference_videos = [],
    reference_audios = [],
  }: GenerationRequest['parameters'],
  files: UpstreamFiles,
  signal: AbortSignal,
): Promise<Json> {
  const imageInputs = [
    ...(first_frame === undefined ? [] : [{ image: first_frame, position: 'first_frame', role: 'first_frame' }]),
    ...(last_frame === undefined ? [] : [{ image: last_frame, position: 'last_frame', role: 'last_frame' }]),
    ...reference_images.map((image, index) => ({ image, position: `reference_images/${index}`, role: 'reference_image' })),
  ]
  const images = await Promise.all(
    imageInputs.map(async ({ image, position, role }) => {
      return { type: 'image_url', image_url: { url: await urlOrDataUri(files, image, position, signal) }, role }
    }),
  )
  const videos = await Promise.all(
    reference_videos.map(async (video, index) => {
      const url = await mediaUrl(files, video, `reference_videos/${index}`)
      return { type: 'video_url', video_url: { url }, role: 'reference_video' }
    }),
  )
  const sounds = await Promise.all(
    reference_audios.map(async (sound, index) => {
      const url = await mediaUrlOrData(files, sound, `reference_audios/${index}`, signal)
      return { type: 'audio_url', audio_url: { url }, role: 'reference_audio' }
    }),
  )
  return [...(prompt === undefined ? [] : [{ type: 'text', text: prompt }]), ...images, ...videos, ...sounds]
}
