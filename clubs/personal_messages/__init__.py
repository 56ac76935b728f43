"""Messages that organisers pass on themselves, to members whom no email reaches or who like it otherwise."""
