import { Link } from 'react-router'
import { splitAtMentions } from '#contract/comments/mention-grammar.ts'
import type { Mention } from '#contract/field-schemas.ts'
import { screenPaths } from '#web/paths.ts'

type Props = {
  text: string
  /** The members in it who can see where it stands, as the server says. */
  mentions: readonly Mention[] | undefined
}

/** Shows a text in which the name of each member it mentions leads to a profile; every other name is text. */
export function MentionText({ text, mentions = [] }: Props) {
  if (mentions.length === 0) return text
  const byName = new Map(mentions.map(({ $id, username }) => [username.toLowerCase(), $id]))
  return splitAtMentions(text, (name) => byName.has(name)).map((part, index) => {
    // Between two parts of text stands a name.
    const personId = index % 2 === 1 ? byName.get(part.slice(1).toLowerCase()) : undefined
    if (!personId) return part
    return (
      <Link
        // biome-ignore lint/suspicious/noArrayIndexKey: a part has nothing but its place.
        key={index}
        to={screenPaths.profile(personId)}
        className="font-[620] text-brand-text underline-offset-3 hover:underline"
      >
        {part}
      </Link>
    )
  })
}
