import { useInfiniteQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { en } from '#contract/language.ts'
import type { Person } from '#contract/people/people.ts'
import { personPostsQuery } from '#web/features/posts/queries.ts'

export const PrivateAccountChip = () => (
  <span className="inline-flex items-center gap-1.5 rounded-full bg-sunken px-2.5 py-1 text-label font-semibold text-text-2">
    <Lock aria-hidden size={16} strokeWidth={2} />
    {en('Private', 'Privada')}
  </span>
)

export function PrivateAccountNotice({ person }: { person: Pick<Person, '$id' | 'name' | 'requested'> }) {
  // Uses up the prefetched response, which would be outdated later.
  useInfiniteQuery(personPostsQuery(person.$id))
  const [firstName] = person.name.trim().split(/\s+/u)
  return (
    <section className="card flex flex-col items-center gap-1.5 px-6 py-14 text-center">
      <svg width="120" height="92" viewBox="0 0 112 84" fill="none" aria-hidden="true">
        <rect
          x="10"
          y="14"
          width="52"
          height="62"
          rx="13"
          transform="rotate(-8 36 45)"
          className="fill-brand-soft"
        />
        <rect
          x="50"
          y="10"
          width="52"
          height="62"
          rx="13"
          transform="rotate(8 76 41)"
          className="fill-accent-soft"
        />
        <rect x="41" y="40" width="30" height="24" rx="8" className="fill-brand" />
        <path d="M47 40v-6a9 9 0 0 1 18 0v6" strokeWidth="5" strokeLinecap="round" className="stroke-brand" />
        <circle cx="56" cy="52" r="3.4" className="fill-surface" />
      </svg>
      <h2 className="heading mt-4.5 text-h2">
        {person.requested
          ? en(`You asked to follow ${firstName}`, `Pediste seguir a ${firstName}`)
          : en('This account is private', 'Esta cuenta es privada')}
      </h2>
      <p className="max-w-[42ch] text-pretty text-text-2">
        {person.requested
          ? en('You’ll see her posts here once she accepts.', 'Verás aquí sus publicaciones cuando acepte.')
          : en(
              `Ask to follow ${firstName} to see her posts. She decides who does.`,
              `Pide seguir a ${firstName} para ver sus publicaciones. Ella decide quién la sigue.`,
            )}
      </p>
    </section>
  )
}
