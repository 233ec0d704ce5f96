import { useQuery } from '@tanstack/react-query'
import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { en } from '#contract/language.ts'
import type { PersonSummary } from '#contract/people/people.ts'
import { isComposing } from '#web/forms/is-composing.ts'
import { AvatarWithName } from '#web/ui/avatar-with-name.tsx'
import { cx } from '#web/ui/cx.ts'
import { useDebounced } from '#web/ui/use-debounced.ts'
import { completeMention, findMentionAtCaret, type MentionAtCaret } from './mention-at-caret.ts'
import { type MentionScope, mentionablePeopleQuery } from './queries.ts'

const debounceMs = 150
const maxHeightPx = 300
const gapPx = 12

type MentionSuggestions = {
  /** The text box's own key handler must ignore events whose default is prevented. */
  field: Pick<
    ComponentProps<'textarea'>,
    | 'aria-autocomplete'
    | 'aria-haspopup'
    | 'aria-controls'
    | 'aria-activedescendant'
    | 'onInput'
    | 'onSelect'
    | 'onBlur'
    | 'onKeyDown'
  >
  list: ReactNode
}

/**
 * Suggests members after an @ and a letter. The text box keeps its role, because comboboxes have only one line.
 * @param onReplace receives the completed text if the browser cannot insert it as typed text
 */
export function useMentionSuggestions(
  scope: MentionScope,
  onReplace: (text: string) => void,
): MentionSuggestions {
  const listId = useId()
  const box = useRef<HTMLTextAreaElement>(null)
  const caret = useRef<number>(undefined)
  const [typed, setTyped] = useState<MentionAtCaret | null>(null)
  /** The start of the name for which the member closed the list. */
  const [closed, setClosed] = useState<number>()
  const [active, setActive] = useState(0)
  const [place, setPlace] = useState({ above: false, height: maxHeightPx })
  const term = useDebounced(typed?.term ?? '', debounceMs)
  const { data = [], isPlaceholderData } = useQuery(mentionablePeopleQuery(scope, typed ? term : ''))
  const people = isPlaceholderData ? data.filter((person) => isNamed(person, term)) : data
  const open = typed !== null && term !== '' && typed.start !== closed && people.length > 0
  const chosen = open ? people[Math.min(active, people.length - 1)] : undefined
  const optionId = (person: PersonSummary) => `${listId}-${person.$id}`

  useLayoutEffect(() => {
    if (caret.current === undefined) return
    box.current?.setSelectionRange(caret.current, caret.current)
    caret.current = undefined
  })

  function look(area: HTMLTextAreaElement) {
    box.current = area
    const next =
      area.selectionStart === area.selectionEnd ? findMentionAtCaret(area.value, area.selectionStart) : null
    if (next?.start !== typed?.start) setClosed(undefined)
    if (next?.term !== typed?.term || next?.start !== typed?.start) {
      setActive(0)
      setTyped(next)
    }
    if (next && !typed) setPlace(findPlace(area))
  }

  function take(person: PersonSummary) {
    if (!box.current || !typed) return
    const area = box.current
    const next = completeMention(area.value, typed, person.username)
    setTyped(null)
    area.focus()
    // Inserts the name as if typed, so Ctrl+Z removes it. Setting a value would clear the undo history.
    area.setSelectionRange(typed.start, area.value.length - (next.text.length - next.caret))
    if (document.execCommand('insertText', false, next.text.slice(typed.start, next.caret))) return
    caret.current = next.caret
    onReplace(next.text)
  }

  function press(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (!open || !chosen || isComposing(event)) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      const next = (people.indexOf(chosen) + step + people.length) % people.length
      setActive(next)
      const option = people[next]
      if (option) document.getElementById(optionId(option))?.scrollIntoView({ block: 'nearest' })
    } else if ((event.key === 'Enter' || event.key === 'Tab') && !hasModifier(event)) take(chosen)
    else if (event.key === 'Escape') {
      setClosed(typed?.start)
      // Escape must not close a dialog around the text box.
      event.stopPropagation()
    } else return
    event.preventDefault()
  }

  return {
    field: {
      'aria-autocomplete': 'list',
      'aria-haspopup': 'listbox',
      'aria-controls': open ? listId : undefined,
      'aria-activedescendant': chosen && optionId(chosen),
      onInput: (event) => look(event.currentTarget),
      onSelect: (event) => look(event.currentTarget),
      onBlur: () => setTyped(null),
      onKeyDown: press,
    },
    list: (
      <>
        <span role="status" className="sr-only">
          {open &&
            (people.length === 1
              ? en('1 suggestion', '1 sugerencia')
              : en(`${people.length} suggestions`, `${people.length} sugerencias`))}
        </span>
        {open && (
          <div
            id={listId}
            role="listbox"
            aria-label={en('People', 'Personas')}
            style={{ maxHeight: place.height }}
            className={cx(
              'absolute left-0 z-40 w-[min(100%,22rem)] animate-fade overflow-y-auto rounded-photo border border-border bg-surface p-1.5 shadow-float',
              place.above ? 'bottom-full mb-1.5' : 'top-full mt-1.5',
            )}
          >
            {people.map((person) => (
              <button
                key={person.$id}
                type="button"
                id={optionId(person)}
                role="option"
                tabIndex={-1}
                aria-selected={person === chosen}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => take(person)}
                className={cx(
                  'flex min-h-13 w-full items-center gap-3 rounded-input px-2.5 text-left hover:bg-sunken forced-colors:aria-selected:outline-2 forced-colors:aria-selected:-outline-offset-2',
                  person === chosen && 'bg-sunken',
                )}
              >
                <AvatarWithName person={person} size={40} />
              </button>
            ))}
          </div>
        )}
      </>
    ),
  }
}

function findPlace(area: HTMLElement): { above: boolean; height: number } {
  let [first, last] = [0, innerHeight]
  for (let around = area.parentElement; around; around = around.parentElement) {
    if (getComputedStyle(around).overflowY === 'visible') continue
    const { top, bottom } = around.getBoundingClientRect()
    first = Math.max(first, top)
    last = Math.min(last, bottom)
  }
  const { top, bottom } = area.getBoundingClientRect()
  const [over, under] = [top - first - gapPx, last - bottom - gapPx]
  const above = under < maxHeightPx && over > under
  return { above, height: Math.min(maxHeightPx, Math.max(above ? over : under, 120)) }
}

const hasModifier = ({ shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent) =>
  shiftKey || ctrlKey || metaKey || altKey

const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** An earlier suggestion may still match until the server answers. */
const isNamed = ({ name, username }: PersonSummary, term: string) =>
  [name, username].some((text) => fold(text).includes(fold(term)))
