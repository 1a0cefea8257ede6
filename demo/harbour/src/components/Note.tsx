interface NoteProps {
  text: string;
  kind?: 'info' | 'warn';
  onDismiss?: () => void;
}

export function Note({ text, kind = 'info', onDismiss }: NoteProps) {
  return (
    <p className={`note note-${kind}`}>
      {text}
      {onDismiss && (
        <button type="button" className="note-dismiss" onClick={onDismiss}>
          Dismiss
        </button>
      )}
    </p>
  );
}
