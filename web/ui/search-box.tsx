import { Search, X } from 'lucide-react'
import { useRef } from 'react'
import { en } from '#contract/language.ts'
import { IconButton } from './button.tsx'
import { Spinner } from './spinner.tsx'

type Props = {
  label: string
  placeholder?: string
  value: string
  onChange: (value: string) => void
  waiting?: boolean
  lang?: string
  autoFocus?: boolean
}

export function SearchBox({ label, placeholder = label, value, onChange, waiting, lang, autoFocus }: Props) {
  const input = useRef<HTMLInputElement>(null)

  function clear() {
    onChange('')
    input.current?.focus()
  }

  return (
    <search lang={lang} className="relative block w-full">
      <span className="pointer-events-none absolute inset-y-0 left-4.5 grid w-5.5 place-items-center text-text-3">
        {waiting ? (
          <Spinner className="size-[18px] border-border-control/40 border-t-brand" />
        ) : (
          <Search aria-hidden size={22} strokeWidth={1.9} />
        )}
      </span>
      <input
        ref={input}
        type="search"
        // biome-ignore lint/a11y/noAutofocus: the field appears because the member pressed a search button
        autoFocus={autoFocus}
        aria-label={label}
        placeholder={placeholder}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        autoComplete="off"
        enterKeyHint="search"
        className="min-h-12 w-full rounded-full bg-sunken pr-12 pl-13 text-body-l text-text focus-visible:rounded-full md:min-h-13 [&::-webkit-search-cancel-button]:hidden"
      />
      {value !== '' && (
        <IconButton
          label={en('Clear', 'Borrar')}
          onClick={clear}
          className="absolute! inset-y-0 right-1 my-auto"
        >
          <X aria-hidden size={18} strokeWidth={2} />
        </IconButton>
      )}
    </search>
  )
}
