import { Link } from 'react-router'
import { splitAtMentions } from '#contract/comments/mention-grammar.ts'
import type { Mention } from '#contract/field-schemas.ts'
import { screenPaths } from '#web/paths.ts'
import { splitAtHashtags } from './split-at-hashtags.ts'

type Props = {
  text: string
  mentions: readonly Mention[] | undefined
}

export function TextWithMentionsAndHashtags({ text, mentions = [] }: Props) {
  const byName = new Map(mentions.map(({ $id, username }) => [username.toLowerCase(), $id]))
  return splitAtMentions(text, (name) => byName.has(name)).flatMap((part, index) => {
    const personId = index % 2 === 1 ? byName.get(part.slice(1).toLowerCase()) : undefined
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change their order
    if (personId) return <TextLink key={index} to={screenPaths.profile(personId)} text={part} />
    return splitAtHashtags(part).map((piece, at) =>
      at % 2 === 1 ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change their order
        <TextLink key={`${index} ${at}`} to={screenPaths.exploreSearch(piece)} text={piece} />
      ) : (
        piece
      ),
    )
  })
}

const TextLink = ({ to, text }: { to: string; text: string }) => (
  <Link to={to} className="font-[620] text-brand-text underline-offset-3 hover:underline">
    {text}
  </Link>
)
