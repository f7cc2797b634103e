"""Claims about the commands of wav.scp: what one decodes where it does nothing else, and every other refused."""

import re

import pytest

from pytest_asrgate.corpora.pipes import Decoded, decoded_file


@pytest.mark.parametrize(
    ("command", "file", "channel", "rate"),
    [
        ("flac -c -d -s a.flac", "a.flac", None, None),
        ("/usr/bin/flac -cds 'my file.flac'", "my file.flac", None, None),
        ("flac --decode --stdout --silent a\\ b.flac", "a b.flac", None, None),
        ("cat a.wav", "a.wav", None, None),
        ("sph2pipe -f wav a.sph", "a.sph", None, None),
        ("sph2pipe -f rif -p -c 1 a.sph", "a.sph", 0, None),
        ("sox a.mp3 -t wav -", "a.mp3", None, None),
        ("sox -t wav a.bin -t wav -r 8000 -c 1 -b 16 -e signed-integer -", "a.bin", None, 8000),
        ("sox -c 1 -t wavpcm -e signed-integer a.wav -t wavpcm -", "a.wav", None, None),
        ("sox -q -V1 -D a.wav -r 16k -t wav - remix 2", "a.wav", 1, 16000),
        ("sox a.wav -t wav - rate -v 16k channels 1", "a.wav", None, 16000),
        ("sox a.wav -t wav - remix -", "a.wav", None, None),
        ("ffmpeg -i a.m4a -f wav -ar 16000 -ac 1 -", "a.m4a", None, 16000),
        ("ffmpeg -nostdin -v error -y -i a.mp3 -f wav -ar 16000 -ab 16 -", "a.mp3", None, 16000),
        ("ffmpeg -loglevel quiet -hide_banner -i a.mp3 -vn -acodec pcm_s16le -f wav pipe:1", "a.mp3", None, None),
        ('cat "a (1).wav"', "a (1).wav", None, None),
        ("cat 'a$b;c|d.wav'", "a$b;c|d.wav", None, None),
        ("cat a~1#2.wav", "a~1#2.wav", None, None),
        ("cat a\u3000b.wav", "a\u3000b.wav", None, None),
        ('cat "a\\"b.wav"', 'a"b.wav', None, None),
    ],
)
def test_a_command_that_only_decodes_one_file_is_known(
    command: str, file: str, channel: int | None, rate: int | None
) -> None:
    """Words on container, rate, bits and channels change nothing that is not done here anyway."""
    assert decoded_file(command) == Decoded(file, channel, rate)


@pytest.mark.parametrize(
    ("command", "fact"),
    [
        ("", "is empty"),
        ("sox a.wav -t wav - | sox -t wav - -t wav -", "'|'"),
        ("flac -c -d -s a.flac 2>/dev/null", "'>'"),
        ("cat a.wav; rm b.wav", "';'"),
        ("cat a.wav && true", "'&'"),
        ("cat $HOME/a.wav", "'$'"),
        ('cat "$HOME/a.wav"', "'$'"),
        ("cat `ls`", "'`'"),
        ("cat *.wav", "'*'"),
        ("cat ~/a.wav", "'~'"),
        ("cat a.wav # b", "'#'"),
        ("cat 'a.wav", "quotation"),
        ("cat a.wav\\", "quotation"),
        ("cat a.wav b.wav", "more than one file"),
        ("cat", "names no file"),
        ("cat -", "'-'"),
        ("cat -n a.wav", "'-n'"),
        ("wget -O - x", "'wget'"),
        ("LC_ALL=C cat a.wav", "'LC_ALL=C'"),
        ("flac -s a.wav", "without -c and -d"),
        ("flac -d -s a.flac", "without -c and -d"),
        ("flac -c -d --skip=100 a.flac", "'--skip=100'"),
        ("sph2pipe -p a.sph", "without -f wav"),
        ("sph2pipe -f raw a.sph", "'raw'"),
        ("sph2pipe -f wav -c 0 a.sph", "'0'"),
        ("sph2pipe -f wav -t 1:2 a.sph", "'-t'"),
        ("sph2pipe -f wav -u a.sph", "'-u'"),
        ("sph2pipe -f wav a.sph b.wav", "more than one file"),
        ("sph2pipe -f wav -c", "'-c' without its value"),
        ("sox a.wav b.wav -t wav -", "more than one file"),
        ("sox -m a.wav b.wav -t wav -", "'-m'"),
        ("sox a.wav b.wav", "does not write to the pipe"),
        ("sox a.wav -", "without -t wav"),
        ("sox -v 2 a.wav -t wav -", "'-v'"),
        ("sox -r 8000 a.wav -t wav -", "'-r'"),
        ("sox -t raw a.raw -t wav -", "'raw'"),
        ("sox - -t wav -", "names no file"),
        ("sox a.wav -t wav - tempo 1.1", "'tempo'"),
        ("sox a.wav -t wav - trim 0 1", "'trim'"),
        ("sox a.wav -t wav - remix 1,2", "'1,2'"),
        ("sox a.wav -t wav - remix 0", "'0'"),
        ("sox a.wav -t wav - remix 2 remix 1", "'remix' after 'remix'"),
        ("sox a.wav -t wav - remix 2 rate 16k remix 1", "'remix' after 'remix'"),
        ("sox a.wav -t wav - channels 1 remix 1", "'remix' after 'channels'"),
        ("sox a.wav -t wav - channels 1 channels 2", "'channels' after 'channels'"),
        ("sox a.wav -t wav - remix 2 channels 1", "'channels' after 'remix'"),
        ("sox a.wav -t wav - remix", "'remix' without its value"),
        ("sox a.wav -t wav -b 8 -", "'8'"),
        ("sox a.wav -t wav -e mu-law -", "'mu-law'"),
        ("sox a.wav -t wav -r fast -", "'fast'"),
        ("sox --norm a.wav -t wav -", "'--norm'"),
        ("ffmpeg -i a.wav -f wav -af volume=2 -", "'-af'"),
        ("ffmpeg -ss 1 -i a.wav -f wav -", "'-ss'"),
        ("ffmpeg -i a.wav -t 3 -f wav -", "'-t'"),
        ("ffmpeg -ar 8000 -i a.wav -f wav -", "'-ar'"),
        ("ffmpeg -i a.wav -i b.wav -f wav -", "more than one file"),
        ("ffmpeg -i a.wav -f mp3 -", "'mp3'"),
        ("ffmpeg -i a.wav -", "without -f wav"),
        ("ffmpeg -i a.wav -f wav out.wav", "'out.wav'"),
        ("ffmpeg -i a.wav -f wav", "does not write to the pipe"),
        ("ffmpeg -i - -f wav -", "names no file"),
        ("ffmpeg -i http://x/a.wav -f wav -", "'http://x/a.wav'"),
        ("ffmpeg -i a.wav -f wav -acodec pcm_mulaw -", "'pcm_mulaw'"),
    ],
)
def test_a_command_that_does_anything_else_is_refused(command: str, fact: str) -> None:
    """More commands, redirections, what a shell would expand, effects and unknown words: each is named."""
    with pytest.raises(ValueError, match=re.escape(fact)):
        decoded_file(command)
