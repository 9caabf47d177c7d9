"""What a study is: its file, its pages, and checks of both."""
