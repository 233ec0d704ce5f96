import { useQuery } from '@tanstack/react-query'
import { Search, X } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { en, es } from '#contract/language.ts'
import type { Person } from '#contract/people/people.ts'
import { isComposing } from '#web/forms/is-composing.ts'
import { AvatarWithName } from '#web/ui/avatar-with-name.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { Spinner } from '#web/ui/spinner.tsx'
import { useDebounced } from '#web/ui/use-debounced.ts'
import { chatPersonSearchQuery } from './queries.ts'
import { useStartChat } from './use-start-chat.ts'

const debounceMs = 300
const hideAfterBlurMs = 200

const listId = 'chat-search-results'
const optionId = (index: number) => `chat-search-${index}`

/** The search is a combobox. Its texts are Spanish in the default language set. */
export function PersonSearch({ onPicked }: { onPicked: () => void }) {
  const [typed, setTyped] = useState('')
  const [shown, setShown] = useState(false)
  const [active, setActive] = useState(-1)
  const input = useRef<HTMLInputElement>(null)
  const hiding = useRef<ReturnType<typeof setTimeout>>(undefined)
  const { start } = useStartChat()
  const term = useDebounced(typed.trim(), debounceMs)
  const { data: people, isFetching } = useQuery(chatPersonSearchQuery(term))
  const waiting = typed.trim() !== '' && (term !== typed.trim() || isFetching)
  const open = shown && typed.trim() !== '' && term !== ''

  function pick(person: Person) {
    setTyped('')
    setShown(false)
    start(person.$id)
    onPicked()
  }

  function clear() {
    setTyped('')
    input.current?.focus()
  }

  function press(event: KeyboardEvent) {
    if (event.key === 'Escape' && open) {
      event.preventDefault()
      setShown(false)
    }
    if (!open || !people?.length || isComposing(event)) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      const next = (Math.max(active, step < 0 ? 0 : -1) + step + people.length) % people.length
      setActive(next)
      document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' })
    }
    const chosen = people[active]
    if (event.key === 'Enter' && chosen) pick(chosen)
  }

  return (
    <search lang={es('es', 'en')} className="relative mx-4 mb-3 block flex-none">
      <span className="pointer-events-none absolute inset-y-0 left-4 grid w-5 place-items-center text-text-3">
        {waiting ? (
          <Spinner className="size-[18px] border-border-control/40 border-t-brand" />
        ) : (
          <Search aria-hidden size={20} strokeWidth={2} />
        )}
      </span>
      <input
        ref={input}
        type="search"
        role="combobox"
        aria-label={es('Buscar usuarios', 'Search people')}
        aria-expanded={open}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={open && people?.[active] ? optionId(active) : undefined}
        placeholder={es('Buscar usuarios...', 'Search people...')}
        autoComplete="off"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value)
          setActive(-1)
          setShown(true)
        }}
        onFocus={() => {
          clearTimeout(hiding.current)
          setShown(true)
        }}
        onBlur={() => {
          hiding.current = setTimeout(() => setShown(false), hideAfterBlurMs)
        }}
        onKeyDown={press}
        className="min-h-[46px] w-full rounded-full bg-sunken pr-12 pl-11.5 text-body-l text-text focus-visible:rounded-full md:text-body [&::-webkit-search-cancel-button]:hidden"
      />
      {typed !== '' && (
        <IconButton
          lang={en('en', 'es')}
          label={en('Clear', 'Borrar')}
          onClick={clear}
          className="absolute! inset-y-0 right-0.5 my-auto"
        >
          <X aria-hidden size={18} strokeWidth={2} />
        </IconButton>
      )}
      {open && (
        <div className="absolute inset-x-0 top-full z-40 mt-1.5 max-h-60 animate-fade overflow-y-auto rounded-photo border border-border bg-surface p-1.5 shadow-float">
          {!people?.length && (
            <p role="status" className="px-3 py-4 text-center text-label text-text-2">
              {people ? es('No se encontraron usuarios', 'No people found') : es('Buscando…', 'Searching…')}
            </p>
          )}
          <div id={listId} role="listbox" aria-label={es('Usuarios', 'People')}>
            {people?.map((person, index) => (
              <button
                key={person.$id}
                type="button"
                id={optionId(index)}
                role="option"
                tabIndex={-1}
                aria-selected={index === active}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => pick(person)}
                className={cx(
                  'flex min-h-14 w-full items-center gap-3 text-left rounded-input px-2.5 hover:bg-sunken',
                  index === active && 'bg-sunken',
                )}
              >
                <AvatarWithName person={person} size={40} />
              </button>
            ))}
          </div>
        </div>
      )}
    </search>
  )
}
