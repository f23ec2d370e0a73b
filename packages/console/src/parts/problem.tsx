/** Error message about the user's input or action. Null shows nothing. */
export function Problem({ text }: { text: string | null }) {
  if (text === null) return null
  return (
    <p class="field-error" role="alert">
      {text}
    </p>
  )
}
