import { useQuery } from '@tanstack/react-query'
import { Eye, Link2, Lock, X } from 'lucide-react'
import { type FormEvent, useId, useRef, useState } from 'react'
import { messageWordsSchema } from '#contract/chat/messages.ts'
import { en, es } from '#contract/language.ts'
import { messageLengthLimits } from '#contract/limits.ts'
import type { PersonSummary } from '#contract/people/people.ts'
import { imageVariantUrl } from '#contract/posts/feed-photo.ts'
import type { Post } from '#contract/posts/posts.ts'
import { genericErrorMessage } from '#web/api/error-message.ts'
import { Checkbox } from '#web/forms/checkbox.tsx'
import { screenPaths } from '#web/paths.ts'
import { AvatarWithName, PersonSkeleton } from '#web/ui/avatar-with-name.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Modal } from '#web/ui/modal.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { SearchBox } from '#web/ui/search-box.tsx'
import { toast } from '#web/ui/toast/toast-store.ts'
import { useDebounced } from '#web/ui/use-debounced.ts'
import { shareTargetsQuery } from './share-targets-query.ts'
import { useSharePost } from './use-share-post.ts'

const debounceMs = 300
const maxSharedAtOnce = 5
const skeletons = ['a', 'b', 'c', 'd']

type Target = { person: PersonSummary; inGroup: boolean | null }

export function ShareDialog({ post, onClose }: { post: Post; onClose: () => void }) {
  const titleId = useId()
  const close = useRef<HTMLButtonElement>(null)
  const [typed, setTyped] = useState('')
  const term = useDebounced(typed.trim(), debounceMs)
  const query = useQuery(shareTargetsQuery(post.$id, term))
  const [chosen, setChosen] = useState<readonly Target[]>([])
  const [words, setWords] = useState('')
  const [failed, setFailed] = useState<readonly PersonSummary[]>([])
  const { sending, send } = useSharePost(post.$id)
  const isValid = messageWordsSchema.safeParse(words).success

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (sending || chosen.length === 0 || !isValid) return
    const left = await send(
      chosen.map(({ person }) => person),
      words.trim(),
    )
    setFailed(left)
    setChosen(chosen.filter(({ person }) => left.some(({ $id }) => $id === person.$id)))
    if (left.length > 0) return
    toast({
      title: en('Sent', 'Enviado'),
      text:
        chosen.length === 1
          ? en(`To ${chosen[0]?.person.name}`, `A ${chosen[0]?.person.name}`)
          : en(`To ${chosen.length} people`, `A ${chosen.length} personas`),
    })
    onClose()
  }

  const copy = () =>
    navigator.clipboard.writeText(new URL(screenPaths.post(post.$id), location.origin).href).then(
      () =>
        toast({
          title: en('Link copied', 'Enlace copiado'),
          text: en(
            'Only people who can see the post can open it.',
            'Solo pueden abrirlo quienes pueden ver la publicación.',
          ),
        }),
      () =>
        toast({
          title: en('Error', 'Error'),
          text: genericErrorMessage,
          kind: 'destructive',
        }),
    )

  const toggle = (target: Target) =>
    setChosen(
      chosen.some(({ person }) => person.$id === target.person.$id)
        ? chosen.filter(({ person }) => person.$id !== target.person.$id)
        : [...chosen, target],
    )

  return (
    <Modal
      open
      role="dialog"
      labelledBy={titleId}
      firstFocus={close}
      onClose={onClose}
      className="w-[min(520px,calc(100%-32px))]"
    >
      <form onSubmit={submit} className="flex max-h-[min(92dvh,760px)] flex-col px-5 pt-5 pb-5 md:px-7">
        <header className="mb-3 flex flex-none items-center justify-between gap-3">
          <h2 id={titleId} className="heading text-[1.375rem] leading-[1.75rem]">
            {en('Share this post', 'Compartir esta publicación')}
          </h2>
          <IconButton ref={close} label={en('Close', 'Cerrar')} onClick={onClose} className="-mr-3">
            <X aria-hidden size={20} strokeWidth={2} />
          </IconButton>
        </header>
        <div className="mb-3 flex flex-none items-center gap-3 rounded-photo bg-sunken p-2.5">
          <img
            src={imageVariantUrl(post.imageId, 128)}
            alt=""
            className="h-16 w-12 flex-none rounded-input object-cover"
          />
          <p className="min-w-0">
            <span className="block truncate font-[660]">{post.creator?.name}</span>
            <span dir="auto" className="line-clamp-2 text-meta leading-[1.125rem] text-text-2 wrap-anywhere">
              {post.caption}
            </span>
          </p>
        </div>
        <div className="flex-none">
          <SearchBox
            lang={es('es', 'en')}
            label={es('Buscar usuarios', 'Search people')}
            placeholder={es('Buscar usuarios...', 'Search people...')}
            value={typed}
            onChange={setTyped}
            waiting={typed.trim() !== term || query.isPlaceholderData}
          />
        </div>
        <div className="-mx-3 my-2 min-h-40 flex-1 overflow-y-auto">
          <QueryView
            query={query}
            skeleton={skeletons.map((skeleton) => <PersonSkeleton key={skeleton} className="p-2" />)}
            failure={<ErrorState onRetry={query.refetch} />}
          >
            {(found) => (
              <Targets
                targets={[...chosen.filter(({ person }) => !isAmong(found, person)), ...found]}
                chosen={chosen}
                searched={term !== ''}
                disabled={sending}
                onToggle={toggle}
              />
            )}
          </QueryView>
        </div>
        <input
          aria-label={en('Add a few words', 'Añade unas palabras')}
          placeholder={en('Add a few words...', 'Añade unas palabras...')}
          value={words}
          maxLength={messageLengthLimits.max}
          readOnly={sending}
          onChange={({ target }) => setWords(target.value)}
          className="min-h-12 w-full flex-none rounded-input border-[1.5px] border-border-control bg-surface px-4 text-body-l focus:border-focus"
        />
        <p className="my-3 flex flex-none gap-2 text-meta text-text-2">
          <Eye aria-hidden size={18} strokeWidth={1.9} className="flex-none" />
          {en(
            'They see it only if they’re allowed to. Nothing is copied into the chat.',
            'Solo la ven si tienen permiso. En el chat no se copia nada.',
          )}
        </p>
        {failed.length > 0 && (
          <p role="alert" className="mb-3 flex-none text-meta font-[620] text-danger">
            {en('Not sent to ', 'No se envió a ')}
            {failed.map(({ name }) => name).join(', ')}
            {en('. Please try again.', '. Inténtalo de nuevo.')}
          </p>
        )}
        <footer className="flex flex-none items-center justify-between gap-3 max-md:*:min-h-13 max-md:*:flex-1">
          <Button kind="ghost" className="whitespace-nowrap" onClick={copy}>
            <Link2 aria-hidden size={18} strokeWidth={2} />
            {en('Copy link', 'Copiar el enlace')}
          </Button>
          <Button type="submit" disabled={chosen.length === 0 || sending || !isValid}>
            {chosen.length > 1
              ? en(`Send to ${chosen.length}`, `Enviar a ${chosen.length}`)
              : en('Send', 'Enviar')}
          </Button>
        </footer>
      </form>
    </Modal>
  )
}

const isAmong = (targets: readonly Target[], { $id }: PersonSummary) =>
  targets.some(({ person }) => person.$id === $id)

type TargetsProps = {
  targets: readonly Target[]
  chosen: readonly Target[]
  searched: boolean
  disabled: boolean
  onToggle: (target: Target) => void
}

function Targets({ targets, chosen, searched, disabled, onToggle }: TargetsProps) {
  if (targets.length === 0)
    return (
      <p role="status" className="px-3 py-8 text-center text-label text-text-2">
        {searched
          ? en('Nobody found.', 'No encontramos a nadie.')
          : en('Search for someone to send it to.', 'Busca a quién enviársela.')}
      </p>
    )
  return (
    <ul aria-label={en('People to send it to', 'Personas a quienes enviarla')} className="space-y-1">
      {targets.map((target) => {
        const { person, inGroup } = target
        const isChosen = isAmong(chosen, person)
        return (
          <li key={person.$id}>
            <label className="flex min-h-15 cursor-pointer items-center gap-3 rounded-photo px-3 py-2 hover:bg-sunken has-checked:bg-brand-soft">
              <AvatarWithName person={person}>
                {inGroup === false && (
                  <span className="flex items-center gap-1.5 text-meta leading-[1.0625rem] font-[560] text-warning">
                    <Lock aria-hidden size={15} strokeWidth={1.9} className="flex-none" />
                    {en(
                      'Not in this group: she won’t see the post',
                      'No está en este grupo: no verá la publicación',
                    )}
                  </span>
                )}
              </AvatarWithName>
              <span className="ml-auto flex-none">
                <Checkbox
                  round
                  checked={isChosen}
                  disabled={disabled || (!isChosen && chosen.length >= maxSharedAtOnce)}
                  onChange={() => onToggle(target)}
                />
              </span>
            </label>
          </li>
        )
      })}
    </ul>
  )
}
