import type { Meaning } from '../src/scenes/prompt/vocabulary.ts'

const headings: Partial<Record<Meaning['kind'], string>> = {
  place: 'Places',
  time: 'Time of day',
  weather: 'Weather',
  style: 'Styles: watercolor, oil, cut paper, minimal, ink, black and white, film, neon, pixel art',
  subject: 'Subjects',
  color: 'Colors of the nearest subject or of the whole image',
  count: 'Counts',
  air: 'Particles in the air',
  motion: 'Actions of subjects',
  riding: 'Riders',
  setting: 'Kinds of places',
  sight: 'Sights',
  part: 'Parts of a scene, which have the color named before them',
  garment: 'Garments, which have the color named before them',
  extra: 'Details',
  group: 'Groups of subjects, for a negative prompt',
  condition: 'Conditions of a subject: burning, ruined, breathing fire, leaping out of the water',
}

/** Generates the page about the embedded driver's vocabulary from the vocabulary itself. */
export function wordList(vocabulary: ReadonlyMap<string, readonly Meaning[]>): string {
  const kinds = new Map<string, Map<string, string[]>>()
  for (const [word, meanings] of vocabulary) {
    for (const { kind, ...value } of meanings) {
      const rows = kinds.get(kind) ?? new Map<string, string[]>()
      const name = JSON.stringify(value)
      rows.set(name, [...(rows.get(name) ?? []), word])
      kinds.set(kind, rows)
    }
  }
  const sections = [...kinds].map(([kind, rows]) => {
    const heading = headings[kind as Meaning['kind']] ?? kind[0]?.toUpperCase() + kind.slice(1)
    return `### ${heading}\n\n${[...rows.values()].map((words) => `- ${words.join(', ')}`).join('\n')}\n`
  })
  return `${introduction}\n${sections.join('\n')}`
}

const introduction = `# Vocabulary of the embedded driver

The embedded driver renders on the CPU and needs no keys or model weights. It finds the words below in the prompt, in English
(singular or plural) and in common Chinese, and composes a scene from them: a place at a time of day in some weather, with
subjects, colors and light. It does not parse sentences. A prompt without a known word gives a still life and never an error.
Unknown words change only small variations.

- **Variations**: another \`seed\` gives another view of the same scene. The same request gives the same bytes on the same machine. For \`n\` results, the driver increments the seed.
- **Text in quotation marks** is drawn. It is a neon sign if the prompt says "neon", a painted board if the prompt names something
  that carries text (sign, shop, banner), a caption after "says", and a title otherwise. It may have up to 48 characters with any
  Latin letters and diacritics. Characters of other scripts are omitted, and a longer text is read as part of the prompt. The
  quoted words do not add anything else to the scene, and another text leaves the rest of the image unchanged.
- **Food, drinks and products** lie on a table in the place that the prompt names, or in front of a plain wall. Products stand on a
  podium. Ball games have their own stadium or hall. A logo is a mark on a plain page, with the subject of the prompt in a ring.
- **Styles** apply to the whole image. An image has one style: the first that the prompt names. Brush strokes and paper texture keep
  their positions while the scene moves. The frames and references of a request keep their own style.
- **\`negative_prompt\`** removes the things that it names: "birds", "fox", "rain".
- **\`first_frame\`** becomes a video in which the camera moves into the image. The image has depth: objects in front of a backdrop
  and the ground come nearer. The first frame is the image itself. "Pan left", "tilt up" and similar words select the direction.
  "Static camera" reduces the movement to a small one.
- **\`first_frame\` and \`last_frame\`**: the video starts with the first image and ends with the last image. If both images show the
  same object, moved, nearer or in another light, the first image turns into the last one. Otherwise mist covers the transition.
- **\`last_frame\` alone**: the camera move is played backward and ends with the image.
- **\`reference_images\`** hang as prints in the scene: in the sky or, if the subject of the prompt is high, in the foreground. A video
  shows a few prints at a time, each for long enough to be seen, even with ten images in three seconds. A still image shows all
  of them. In a request with \`first_frame\` or \`last_frame\`, the video starts or ends with the given frames, and the references
  appear between them.
- **\`reference_videos\`** hang in the scene in the same way and play: the first three seconds of each, in a loop, without sound.
  A still image shows the first frame of each.
- **\`input_video\`** is extended: the result shows the given video, followed by \`seconds\` more that begin with its last frame. The
  given video may be up to 60 seconds long. Its sound is dropped, and \`audio\` adds an ambience to the whole result. In a request
  with a \`first_frame\`, or with a \`task\` other than \`extend\`, the given video is shown as a reference.
- **Input videos need an ffmpeg on PATH**. Without ffmpeg, the driver refuses a request that names a video. \`framegate doctor\` shows
  whether ffmpeg is available.
- **\`audio\`** adds an ambience that fits the scene: wind, rain, waves, a night, a city. Its loudness is -20 LUFS in every video.
- **\`watermark\`** adds a small plate with the logo and name of the account's [brand](brands.md#what-its-clients-see) in the lower right
  corner.

Models of providers understand far more. A prompt for such a model also works here and gives a sketch.

## The words
`
