import { Fragment } from 'react'
import { splitAtLinks } from './split-at-links.ts'

/**
 * Shows host names in ASCII, because letters of other scripts can imitate a name. There are no previews: they would
 * reveal the reader to the other site.
 */
export function LinkedText({ text }: { text: string }) {
  return splitAtLinks(text).map((part, position) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a message never change their order
    <Fragment key={position}>{position % 2 === 1 ? <Outside href={part} /> : part}</Fragment>
  ))
}

const Outside = ({ href }: { href: string }) => (
  <>
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="underline underline-offset-2"
    >
      {href}
    </a>
    <span className="text-meta text-text-2">{` · ${new URL(href).host}`}</span>
  </>
)
