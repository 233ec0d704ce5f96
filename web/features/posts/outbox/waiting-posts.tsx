import { Send, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { en } from '#contract/language.ts'
import { screenPaths } from '#web/paths.ts'
import { DraftRow } from '../drafts/draft-row.tsx'
import type { PostDraftSummary } from '../drafts/post-draft-store.ts'
import { describePostRefusal } from './describe-post-refusal.ts'

const countWaiting = (count: number) =>
  count === 1
    ? en('1 post waiting.', '1 publicación en espera.')
    : en(`${count} posts waiting.`, `${count} publicaciones en espera.`)

const goesOut = (count: number) =>
  count === 1
    ? en('We’ll send it when you’re online.', 'La enviaremos cuando tengas conexión.')
    : en('We’ll send them when you’re online.', 'Las enviaremos cuando tengas conexión.')

export function WaitingPostsNotice({ drafts }: { drafts: readonly PostDraftSummary[] }) {
  const waiting = drafts.filter((draft) => draft.waiting && !draft.waiting.refusal)
  const refused = drafts.flatMap(({ id, waiting: post }) => (post?.refusal ? { id, post } : []))
  return (
    <>
      {waiting.length > 0 && (
        <Notice className="bg-accent-soft text-on-accent-soft" icon={<Send {...iconStyle} />}>
          <strong className="font-[680]">{countWaiting(waiting.length)}</strong> {goesOut(waiting.length)}
        </Notice>
      )}
      {refused.map(({ id, post }) => (
        <Notice key={id} className="bg-warning-soft text-warning" icon={<TriangleAlert {...iconStyle} />}>
          {describePostRefusal(post)}
        </Notice>
      ))}
    </>
  )
}

const iconStyle = { 'aria-hidden': true, size: 20, strokeWidth: 1.9, className: 'mt-0.5 flex-none' } as const

const Notice = ({
  className,
  icon,
  children,
}: {
  className: string
  icon: ReactNode
  children: ReactNode
}) => (
  <div className={`mb-3 flex gap-3 rounded-tile px-5 py-4 md:mb-5 ${className}`}>
    {icon}
    <div className="min-w-0 wrap-anywhere">
      <p role="status">{children}</p>
      <Link
        to={screenPaths.createPost()}
        className="inline-flex min-h-11 items-center font-[650] underline underline-offset-3"
      >
        {en('See it', 'Verla')}
      </Link>
    </div>
  </div>
)

type ListProps = {
  posts: readonly PostDraftSummary[]
  onOpen: (id: string) => void
  onDelete: (id: string) => void
}

export function WaitingPosts({ posts, onOpen, onDelete }: ListProps) {
  if (posts.length === 0) return null
  return (
    <section aria-label={en('Waiting to be sent', 'Por enviar')} className="card mb-3.5 px-2 py-3 md:px-5">
      <h2 className="px-3 text-label font-[620]">{en('Waiting to be sent', 'Por enviar')}</h2>
      <ul>
        {posts.map((post) => (
          <DraftRow
            key={post.id}
            draft={post}
            note={
              <span className={post.waiting?.refusal ? 'text-warning' : undefined}>
                {(post.waiting && describePostRefusal(post.waiting)) ||
                  (post.waiting?.groupName ?? en('Public Post', 'Publicación pública'))}
              </span>
            }
            deleteLabel={en('Delete post: ', 'Borrar la publicación: ')}
            onOpen={() => onOpen(post.id)}
            onDelete={() => onDelete(post.id)}
          />
        ))}
      </ul>
    </section>
  )
}
