import { Fragment } from 'react'

/** An address as people paste it; a full stop or a bracket after it belongs to the sentence. */
const address = /(https?:\/\/[^\s<>"]*[^\s<>"'.,;:!?)\]}])/i

/** Shows a message with its addresses as links. Nothing is fetched of them: a preview would tell the other side who reads. */
export function LinkedText({ text }: { text: string }) {
  const parts = text.split(address)
  return parts.map((part, position) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a message never change their order
    <Fragment key={position}>
      {position % 2 === 1 && URL.canParse(part) ? <Outside href={part} /> : part}
    </Fragment>
  ))
}

const Outside = ({ href }: { href: string }) => (
  <a href={href} target="_blank" rel="noopener noreferrer" className="underline underline-offset-2">
    {href}
  </a>
)
